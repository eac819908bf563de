"""Writes src/encoder/tokenizer/html_entities.inc: the named characters of HTML 5 as Python's html module has them.

Run from the repository's root: python3 tools/make_html_entities.py
"""
import textwrap
from html.entities import html5


def entries() -> list[str]:
    """NAME:POINT or NAME:POINT+POINT, with * in front where HTML lets the semicolon go."""
    found = []
    for name in sorted(key[:-1] for key in html5 if key.endswith(";")):
        points = "+".join(f"{ord(character):X}" for character in html5[name + ";"])
        found.append(f"{'*' if name in html5 else ''}{name}:{points}")
    return found


def main() -> None:
    lines = textwrap.wrap(" ".join(entries()), 102, break_long_words=False, break_on_hyphens=False)
    with open("src/encoder/tokenizer/html_entities.inc", "w", encoding="ascii") as out:
        out.write("// Made by tools/make_html_entities.py. clang-format off\n")
        out.writelines(f'"{line} "\n' for line in lines)


main()
