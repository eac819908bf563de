"""capella.compat: types, keys, order and values of pycocoevalcap."""

from __future__ import annotations

import json

import numpy as np
import pytest

from capella.compat import Bleu, Cider, CiderD, COCOEvalCap, Meteor, PTBTokenizer, Rouge


@pytest.fixture(scope="module")
def fakecap(shared):
    return json.loads((shared / "golden/golden_coco_fakecap.json").read_text())


@pytest.fixture(scope="module")
def tokens(fakecap):
    items = fakecap["per_image"]
    return {i["id"]: i["refs"] for i in items}, {i["id"]: [i["cand"]] for i in items}


def test_bleu(fakecap, tokens):
    score, scores = Bleu(4).compute_score(*tokens)
    assert type(score) is list and type(scores) is list and type(scores[0]) is list
    assert type(score[0]) is float and type(scores[0][0]) is float
    for k in range(4):
        assert score[k] == fakecap["corpus"][f"Bleu_{k + 1}"]
        assert scores[k] == [item[f"Bleu_{k + 1}"] for item in fakecap["per_image"]]
    assert Bleu(2).compute_score(*tokens, verbose=0) == (score[:2], scores[:2])


@pytest.mark.parametrize("scorer, key", [(Rouge, "ROUGE_L"), (Cider, "CIDEr_D")])
def test_mean_and_array(fakecap, tokens, scorer, key):
    score, scores = scorer().compute_score(*tokens)
    assert type(score) is np.float64 and type(scores) is np.ndarray and scores.dtype == np.float64
    assert scores.flags.writeable
    want, wants = fakecap["corpus"][key], [item[key] for item in fakecap["per_image"]]
    if scorer is Rouge:
        assert score == want and scores.tolist() == wants
    assert score == pytest.approx(want, rel=1e-12)
    assert scores == pytest.approx(wants, rel=1e-12)


def test_tokenizer(fakecap, tokens):
    items = fakecap["per_image"]
    tokenizer = PTBTokenizer()
    assert tokenizer.tokenize({i["id"]: [{"caption": c} for c in i["refs_raw"]] for i in items}) == tokens[0]
    assert tokenizer.tokenize({i["id"]: [{"caption": i["cand_raw"]}] for i in items}) == tokens[1]
    assert tokenizer.tokenize({5: [{"caption": "A dog.", "id": 1}], 6: []}) == {5: ["a dog"]}


def test_edge_cases(shared):
    for name, case in json.loads((shared / "golden/golden_ngram_edge.json").read_text()).items():
        gts = {k: item["refs"] for k, item in enumerate(case["items"])}
        res = {k: [item["cand"]] for k, item in enumerate(case["items"])}
        assert Bleu().compute_score(gts, res)[0] == case["Bleu"], name
        assert Rouge().compute_score(gts, res)[0] == case["ROUGE_L"], name
        score, scores = Cider().compute_score(gts, res)
        assert score == pytest.approx(case["CIDEr_D"], rel=1e-12), name
        assert scores == pytest.approx(case["CIDEr_D_per"], rel=1e-12), name


def test_order_follows_gts():
    gts = {9: ["a cat"], 7: ["a dog"]}
    res = {7: ["a dog"], 9: ["two birds"]}
    assert Rouge().compute_score(gts, res)[1].tolist() == [0.0, 1.0]
    assert Bleu(1).compute_score(gts, res)[1] == [[4.999999995000003e-16, 0.9999999990000008]]


@pytest.mark.parametrize("scorer", [Bleu, Meteor, Rouge, Cider])
def test_mismatches_name_the_ids(scorer):
    with pytest.raises(ValueError, match="res for 8; .*gts for 9"):
        scorer().compute_score({7: ["a"], 8: ["a"]}, {7: ["a"], 9: ["a"]})
    with pytest.raises(ValueError, match="one caption.* 7"):
        scorer().compute_score({7: ["a"]}, {7: ["a", "b"]})
    with pytest.raises(ValueError, match="one caption.* 7"):
        scorer().compute_score({7: ["a"]}, {7: "a"})
    with pytest.raises(ValueError, match="at least one reference.* 7"):
        scorer().compute_score({7: []}, {7: ["a"]})


@pytest.mark.parametrize("sigma", [5, 5.0, np.float64(5), np.int64(5)])
def test_cider_honours_sigma_and_cider_d_does_not(sigma):
    """Values of pycocoevalcap 1.2."""
    sigma_5 = [2.908071014477809, 7.085215000009785]
    sigma_6 = [3.2067814081454156, 7.128646107117966]
    gts = {7: ["a dog runs over the green grass"], 9: ["two cats sleep on a sofa"]}
    res = {7: ["a dog runs"], 9: ["two cats sleep on a big sofa"]}
    assert Cider(sigma=sigma).compute_score(gts, res)[1] == pytest.approx(sigma_5, rel=1e-12)
    assert Cider().compute_score(gts, res)[1] == pytest.approx(sigma_6, rel=1e-12)
    rows = [{"image_id": id, "caption": caption} for id, caption in res.items()]
    assert CiderD(sigma=sigma).compute_score(gts, rows)[1] == pytest.approx(sigma_6, rel=1e-12)


def test_cider_d_rows_may_repeat(tokens):
    gts, res = tokens
    rows = [{"image_id": id, "caption": caption} for id, caption in res.items()]
    score, scores = CiderD().compute_score(gts, rows)
    want, wants = Cider().compute_score(gts, res)
    assert score == want and np.array_equal(scores, wants)
    with pytest.raises(ValueError, match="gts for nope"):
        CiderD().compute_score(gts, [{"image_id": "nope", "caption": ["a"]}])


def test_cider_d_counts_the_references_of_every_row():
    """Two rows of one image make it two images, as if it stood under two ids."""
    gts = {7: ["a dog runs", "the dog"], 9: ["two cats sleep"]}
    rows = [{"image_id": 7, "caption": ["a dog"]}, {"image_id": 9, "caption": ["two cats"]}]
    rows.append({"image_id": 7, "caption": ["the dog runs"]})
    _, scores = CiderD().compute_score(gts, rows)
    apart = {0: gts[7], 1: gts[9], 2: gts[7]}
    _, wants = Cider().compute_score(apart, {k: row["caption"] for k, row in enumerate(rows)})
    assert np.array_equal(scores, wants)
    _, once = Cider().compute_score({7: gts[7], 9: gts[9]}, {7: ["a dog"], 9: ["two cats"]})
    assert scores[0] != once[0]


def test_cider_d_with_coco_frequencies(shared, tokens):
    golden = json.loads((shared / "golden/golden_cider_cocodf.json").read_text())["D"]
    gts, res = tokens
    rows = [{"image_id": id, "caption": caption} for id, caption in res.items()]
    score, scores = CiderD(df="coco-val-df").compute_score(gts, rows)
    assert score == pytest.approx(golden["corpus"], abs=1e-12)
    assert scores[:20] == pytest.approx(golden["first20"], rel=1e-12)


def test_cider_d_on_flickr8k_expert(shared):
    """16,992 rows over 1,000 images: document frequencies count every row."""
    golden = json.loads((shared / "golden/golden_flickr8k_expert.json").read_text())["rows"]
    folder = shared / "data/flickr8k"
    captions = dict(line.split("\t") for line in (folder / "Flickr8k.token.txt").read_text().splitlines())
    pairs = [line.split("\t") for line in (folder / "ExpertAnnotations.txt").read_text().splitlines()]
    pairs = [
        (image, caption) for image, caption, *_ in pairs if caption.split("#")[0] != image for _ in range(3)
    ]
    assert len(pairs) == len(golden)
    tokenizer = PTBTokenizer()
    images = dict.fromkeys(image for image, _ in pairs)
    gts = tokenizer.tokenize({i: [{"caption": captions[f"{i}#{k}"]} for k in range(5)] for i in images})
    tokens = tokenizer.tokenize({k: [{"caption": captions[c]}] for k, (_, c) in enumerate(pairs)})
    assert [tokens[k][0] for k in tokens] == [row["cand"] for row in golden]
    rows = [{"image_id": image, "caption": tokens[k]} for k, (image, _) in enumerate(pairs)]
    _, scores = CiderD().compute_score(gts, rows)
    assert scores == pytest.approx([row["CIDEr"] for row in golden], rel=1e-9, abs=1e-12)


class FakeCOCO:
    def __init__(self, captions):
        self.imgToAnns = {
            id: [{"image_id": id, "caption": c} for c in texts] for id, texts in captions.items()
        }

    def getImgIds(self):
        return list(self.imgToAnns)


def test_coco_eval_cap(fakecap, meteor_data, tmp_path, capsys):
    items = fakecap["per_image"]
    refs = {int(i["id"]): i["refs_raw"] for i in items}
    hyps = {int(i["id"]): [i["cand_raw"]] for i in items}
    evaluation = COCOEvalCap(FakeCOCO(refs), FakeCOCO(hyps))
    evaluation.evaluate()
    keys = ["Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4", "METEOR", "ROUGE_L", "CIDEr", "SPICE"]
    assert list(evaluation.eval) == keys
    assert evaluation.eval["METEOR"] == 0.19525467177780284  # of pycocoevalcap 1.2
    assert evaluation.eval["Bleu_4"] == fakecap["corpus"]["Bleu_4"]
    assert evaluation.eval["CIDEr"] == pytest.approx(fakecap["corpus"]["CIDEr_D"], rel=1e-12)
    first = evaluation.imgToEval[int(items[0]["id"])]
    assert first["image_id"] == int(items[0]["id"]) and first["Bleu_1"] == items[0]["Bleu_1"]
    assert evaluation.evalImgs == list(evaluation.imgToEval.values()) and len(evaluation.evalImgs) == 1000
    assert capsys.readouterr().out == ""

    rows = [{"image_id": id, "caption": texts[0]} for id, texts in hyps.items()]
    (tmp_path / "results.json").write_text(json.dumps(rows))
    by_file = COCOEvalCap(refs, str(tmp_path / "results.json"))
    by_file.evaluate()
    assert by_file.eval == evaluation.eval
    assert repr(by_file.imgToEval) == repr(evaluation.imgToEval)  # NaN is not equal to itself


def test_coco_eval_cap_on_some_images(meteor_data):
    refs = FakeCOCO({1: ["A dog."], 2: ["A cat."], 3: ["Two birds."]})
    results = FakeCOCO({1: ["a dog"], 3: ["two dogs"]})
    evaluation = COCOEvalCap(refs, results)
    with pytest.raises(ValueError, match="results for 2"):
        evaluation.evaluate()
    evaluation.params["image_id"] = results.getImgIds()
    evaluation.evaluate()
    assert list(evaluation.imgToEval) == [1, 3] and evaluation.imgToEval[1]["ROUGE_L"] == 1.0
