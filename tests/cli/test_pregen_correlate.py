"""`capella pregen correlate` and `plot`: what they print and write, and what goes wrong."""

import math
import os
import xml.etree.ElementTree as ElementTree

import pytest

BEST = "mean_max_normcount_prefix0"
PERPLEXITY = "geomean_join_pplx_none"
HEADER = ["dataset", "architecture", "run", "num_strata", "stratum", "CIDEr", "WMD", BEST, PERPLEXITY]
HEADER += ["max_max_prob_none", "sum_sum_pplx_filter0"]


def row(dataset, architecture, run, strata, stratum):
    """BEST is a line of CIDEr; perplexity is not; the others are constant on one data set or infinite."""
    system = "init pre par merge".split().index(architecture) + run / 4
    score = stratum / strata + system / 20 + (0.5 if dataset == "coco" else 0)
    swerve = math.sin(7 * score + system)
    posts = [score, score * score]
    pres = [0.25 * score + 1, 9 - score + swerve, 0.5 if dataset == "coco" else score]
    pres.append(math.inf if stratum == 3 else score)
    return [dataset, architecture, run, strata, stratum, *posts, *pres]


def study():
    rows = [HEADER]
    for dataset in ("flickr8k", "coco"):
        for architecture in ("init", "pre", "par", "merge"):
            for run in (1, 2, 3):
                rows += [row(dataset, architecture, run, s, k) for s in range(1, 6) for k in range(s)]
    return rows


def text(rows):
    return "".join("\t".join(map(str, one)) + "\n" for one in rows)


def pearson(x, y):
    mean_x, mean_y = math.fsum(x) / len(x), math.fsum(y) / len(y)
    xy = math.fsum((a - mean_x) * (b - mean_y) for a, b in zip(x, y))
    xx = math.fsum((a - mean_x) ** 2 for a in x)
    yy = math.fsum((b - mean_y) ** 2 for b in y)
    return xy / math.sqrt(xx * yy)


@pytest.fixture
def data(write):
    return write("data.txt", text(study()))


def test_writes_the_published_layout_and_prints_tables(capella, data, tmp_path):
    run = capella("pregen", "correlate", data, "--post", "CIDEr", "-o", "out.tsv")
    assert run.code == 0, run.err
    assert "CIDEr: the pre-gen metrics that explain it best" in run.out
    assert "a real difference" in run.out and "R^2 between the post-gen scores" in run.out
    lines = [line.split("\t") for line in (tmp_path / "out.tsv").read_text().splitlines()]
    parts = [f"{rows}_{part}" for rows in ("coco", "flickr8k", "all") for part in ("R^2", "R", "p")]
    assert lines[0] == ["pregen", *parts]
    assert [line[0] for line in lines[1:]] == [BEST, PERPLEXITY]
    rows = study()[1:]
    for line, column in zip(lines[1:], (7, 8)):
        for place, chosen in ((1, "coco"), (4, "flickr8k"), (7, None)):
            some = [one for one in rows if chosen in (None, one[0])]
            r = pearson([one[5] for one in some], [one[column] for one in some])
            assert float(line[place + 1]) == pytest.approx(r, abs=1e-12)
            assert float(line[place]) == pytest.approx(r * r, abs=1e-12)
            assert repr(float(line[place])) == line[place]


def test_without_a_score_takes_all(capella, data):
    run = capella("pregen", "correlate", data, "--format", "json")
    found = run.json()
    assert list(found["posts"]) == ["CIDEr", "WMD"]
    post = found["posts"]["CIDEr"]
    assert post["left_out"] == {"not_finite": ["sum_sum_pplx_filter0"], "constant": ["max_max_prob_none"]}
    whole = post["selections"]["all"]
    assert (whole["rows"], whole["systems"]) == (360, 24)
    best = whole["metrics"][BEST]
    assert best["rank"] == 1 and best["R"] == pytest.approx(1, abs=1e-12)
    perplexity = whole["metrics"][PERPLEXITY]
    assert perplexity["rank"] == 2 and perplexity["low"] < perplexity["R^2"] < perplexity["high"]
    assert whole["best_against_perplexity"]["real"] is True
    assert post["selections"]["coco"]["best_against_perplexity"]["real"] is None  # twelve systems
    columns = [[one[5] for one in study()[1:]], [one[6] for one in study()[1:]]]
    assert found["between_posts"]["CIDEr"]["WMD"] == pytest.approx(pearson(*columns) ** 2, abs=1e-12)


def test_is_the_same_for_any_number_of_threads_and_changes_with_the_seed(capella, data):
    asked = ["pregen", "correlate", data, "--post", "WMD", "--format", "csv", "--resamples", "100"]
    one = capella(*asked, "--threads", "1")
    assert one.code == 0 and one.out == capella(*asked, "--threads", "3").out
    assert one.out != capella(*asked, "--seed", "2").out


def test_rows_may_come_in_several_files(capella, data, write):
    rows = study()
    write("a.txt", text(rows[:181]))
    write("b.txt", text([rows[0], *rows[181:]]))
    whole = capella("pregen", "correlate", data, "--post", "CIDEr", "-o", "-")
    parts = capella("pregen", "correlate", "a.txt", "b.txt", "--post", "CIDEr", "-o", "-")
    assert whole.code == 0 and whole.out == parts.out and whole.out.startswith("pregen\t")


def test_a_score_that_is_the_same_everywhere_is_left_out_unless_it_is_named(capella, write, tmp_path):
    rows = study()
    same = [[*one[:6], 0.5, *one[7:]] for one in rows[1:]]
    write("same.txt", text([rows[0], *same]))
    run = capella("pregen", "correlate", "same.txt", "--format", "json")
    assert list(run.json()["posts"]) == ["CIDEr"]
    assert "WMD is the same in all rows of coco; the score is left out" in run.err
    assert capella("pregen", "correlate", "same.txt", "--post", "WMD").failed(1, "WMD is the same")
    run = capella("pregen", "plot", "same.txt", "-o", "pictures")
    assert run.code == 0 and "WMD is the same" in run.err
    assert (tmp_path / "pictures" / "bars-cider.svg").exists()
    write("nan.txt", text([rows[0], [*rows[1][:5], "inf", *rows[1][6:]], *rows[2:]]))
    run = capella("pregen", "correlate", "nan.txt", "--format", "json")
    assert list(run.json()["posts"]) == ["WMD"] and "CIDEr of flickr8k init 1" in run.err
    write("none.txt", text([rows[0], *([*one[:5], 1, *one[6:]] for one in same)]))
    assert capella("pregen", "correlate", "none.txt").failed(1, "CIDEr is the same")


def test_metrics_of_tiny_numbers_have_intervals(capella, data, write):
    rows = study()
    tiny = [[*one[:7], one[7] * 1e-200, *one[8:]] for one in rows[1:]]
    write("tiny.txt", text([rows[0], *tiny]))
    asked = ["--post", "CIDEr", "--format", "json"]
    expected, found = (
        capella("pregen", "correlate", name, *asked).json()["posts"]["CIDEr"]["selections"]["all"]
        for name in (data, "tiny.txt")
    )
    for key in ("R^2", "low", "high"):
        assert found["metrics"][BEST][key] == pytest.approx(expected["metrics"][BEST][key], abs=1e-9)
    assert found["best_against_perplexity"]["p"] == expected["best_against_perplexity"]["p"]


def test_what_goes_wrong(capella, data, write):
    rows = study()
    assert capella("pregen", "correlate", data, "--post", "BLEUX").failed(2, "BLEUX", "CIDEr", "WMD")
    assert capella("pregen", "correlate", data, "-o", "x.tsv").failed(2, "--post")
    assert capella("pregen", "correlate", data, "--post", "CIDEr", "-o", data).failed(2, "data.txt")
    assert capella("pregen", "correlate", "none.txt").failed(1, "none.txt")
    assert capella("pregen", "correlate", data, "--resamples", "3").failed(2, "3")
    write("short.txt", text([*rows[:5], rows[5][:7], *rows[6:]]))
    assert capella("pregen", "correlate", "short.txt", "--post", "CIDEr").failed(1, "short.txt:6", "7", "11")
    write("post.txt", text([one[:7] for one in rows]))
    assert capella("pregen", "correlate", "post.txt").failed(1, "post.txt", "no pre-gen metrics")
    write("nan.txt", text([*rows[:3], [*rows[3][:5], "nan", *rows[3][6:]], *rows[4:]]))
    assert capella("pregen", "correlate", "nan.txt", "--post", "CIDEr").failed(1, "flickr8k init 1", "nan")
    assert capella("pregen", "correlate", data, data).failed(1, "data.txt:2", "before")


def test_plots(capella, data, tmp_path):
    run = capella("pregen", "plot", data, "-o", "pictures")
    assert run.code == 0, run.err
    files = {path.name for path in (tmp_path / "pictures").iterdir()}
    expected = {f"{kind}-{post}.svg" for kind in ("bars", "tiers") for post in ("cider", "wmd")}
    expected |= {f"scatter-{post}-{metric}.svg" for post in ("cider", "wmd") for metric in (BEST, PERPLEXITY)}
    assert files == expected | {"post-gen.svg"}
    for path in (tmp_path / "pictures").iterdir():
        assert ElementTree.parse(path).getroot().tag.endswith("svg")
    scatter = (tmp_path / "pictures" / f"scatter-cider-{BEST}.svg").read_text(encoding="utf-8")
    assert "all, R² = 1.000" in scatter and "360 points shown" in scatter and "stratum 5 of 5" in scatter


def test_plots_of_one_score_and_a_metric_that_was_left_out(capella, data, tmp_path):
    asked = ["pregen", "plot", data, "--post", "WMD", "-o", "pictures"]
    assert capella(*asked, "--metric", "sum_sum_pplx_filter0").code == 0
    files = {path.name for path in (tmp_path / "pictures").iterdir()}
    scatters = {f"scatter-wmd-{metric}.svg" for metric in ("sum_sum_pplx_filter0", PERPLEXITY)}
    assert files == {"bars-wmd.svg", "tiers-wmd.svg", "post-gen.svg"} | scatters
    assert capella(*asked, "--metric", BEST + "x").failed(2, BEST + "x", BEST)
    assert capella("pregen", "plot", data, "--post", "X", "-o", "pictures").failed(2, "'X'", "CIDEr")
    assert capella("pregen", "plot", data, "-o", data).failed(2, "data.txt")
    assert capella("pregen", "plot", data, "-o", data / "pictures").failed(2, "data.txt", "no folder")
    assert capella("pregen", "plot", data, "-o", "x" * 300).failed(1, "File name too long")
    assert capella("pregen", "plot", data, "-o", "").failed(2, "-o")
    assert capella("pregen", "plot", data, "-o", "pictures", "--format", "json").failed(2, "--format json")
    assert capella("pregen", "plot", data).failed(2, "--output")


def test_a_folder_that_cannot_be_written_is_told_before_the_work(capella, data, tmp_path):
    if os.geteuid() == 0:
        pytest.skip("the superuser may write everywhere")
    (tmp_path / "closed").mkdir(mode=0o500)
    (tmp_path / "broken.txt").write_text("no table")
    for name in ("closed", "closed/pictures"):
        assert capella("pregen", "plot", "broken.txt", "-o", name).failed(1, name, "cannot be written")
