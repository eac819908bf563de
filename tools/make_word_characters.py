"""Writes src/text/word_characters.inc: the code points that Python's regular expressions take for \\w.

Run from the repository's root: python3 tools/make_word_characters.py
"""
import re
import sys
import unicodedata


def ranges() -> list[tuple[int, int]]:
    word = re.compile(r"\w")
    found: list[tuple[int, int]] = []
    for point in range(0x80, sys.maxunicode + 1):
        if not word.match(chr(point)):
            continue
        if found and found[-1][1] == point - 1:
            found[-1] = (found[-1][0], point)
        else:
            found.append((point, point))
    return found


def main() -> None:
    pairs = [f"{{0x{low:X}, 0x{high:X}}}," for low, high in ranges()]
    with open("src/text/word_characters.inc", "w", encoding="ascii") as out:
        out.write(f"// Made by tools/make_word_characters.py from Unicode {unicodedata.unidata_version}. clang-format off\n")
        for i in range(0, len(pairs), 6):
            out.write(" ".join(pairs[i : i + 6]) + "\n")


main()
