"""Metrics that look at pictures, from Python."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import capella

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "cli"))
from small_clip import picture, write_model  # noqa: E402

REFS = {7: ["a dog", "the dog runs"], 9: ["a cat"], 12: ["two cats", "a cat on a mat"]}
HYPS = {7: "a dog runs", 9: "a dog", 12: "the cats"}


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    folder = write_model(tmp_path_factory.mktemp("clip"))
    return {f"{metric}.model": folder for metric in ("clip-s", "refclip-s")}


@pytest.fixture
def images(tmp_path):
    for id in REFS:
        (tmp_path / f"{id}.png").write_bytes(picture(id))
    return tmp_path


def one(settings):
    return {"clip-s.model": settings["clip-s.model"]}


def test_a_folder_a_file_and_a_dict_mean_the_same(settings, images):
    metrics = ["clip-s", "refclip-s"]
    by_folder = capella.score(REFS, HYPS, metrics, images=images, settings=settings)
    assert 0 <= by_folder["CLIP-S"] <= 2.5 and 0 <= by_folder["RefCLIP-S"] <= 2.5
    by_id = {id: images / f"{id}.png" for id in REFS}
    assert capella.score(REFS, HYPS, metrics, images=by_id, settings=settings)["CLIP-S"] == by_folder["CLIP-S"]
    listed = images / "list.csv"
    listed.write_text("id,path\n" + "".join(f"{id},{id}.png\n" for id in REFS))
    by_file = capella.score(REFS, HYPS, metrics, images=str(listed), settings=settings)
    assert by_file["RefCLIP-S"] == by_folder["RefCLIP-S"]


def test_functions_are_given_the_paths(images):
    seen = []

    def look(items):
        seen.extend(item.image for item in items)
        return [0.0] * len(items)

    capella.score(REFS, HYPS, ["bleu", look], images=images)
    assert seen == [str(images / f"{id}.png") for id in REFS]
    capella.score(REFS, HYPS, ["bleu", look])
    assert seen[3:] == [None] * 3


def test_what_is_lacking_is_said_in_pythons_words(settings, images):
    with pytest.raises(capella.CapellaError, match="images=DIR"):
        capella.score(REFS, HYPS, ["clip-s"], settings=one(settings))
    with pytest.raises(capella.CapellaError, match=r"settings clip-s\.model"):
        capella.score(REFS, HYPS, ["clip-s"], images=images)
    with pytest.raises(TypeError, match="images"):
        capella.score(REFS, HYPS, ["bleu"], images=3)
    with pytest.raises(TypeError, match="images"):
        capella.score(REFS, HYPS, ["bleu"], images={7: 3})
    (images / "9.png").unlink()
    with pytest.raises(capella.CapellaError, match='1 of 3 items have no picture there: 9.*missing="skip"'):
        capella.score(REFS, HYPS, ["clip-s"], images=images, settings=one(settings))
    with pytest.warns(capella.CapellaWarning, match="no picture in"):
        skipped = capella.score(REFS, HYPS, ["clip-s"], images=images, settings=one(settings), missing="skip")
    assert [row[0] for row in skipped.skipped] == ["9"]


def test_the_other_functions_take_pictures(settings, images):
    whole = capella.score(REFS, HYPS, ["clip-s"], images=images, settings=one(settings))
    [why] = capella.explain(REFS, HYPS, 12, ["clip-s"], images=images, settings=one(settings))
    assert "12.png" in str(why)
    with pytest.warns(capella.CapellaWarning, match="too few"):
        compared = capella.compare(
            REFS, {"a": HYPS, "b": HYPS}, ["clip-s"], images=images, settings=one(settings), test="randomization"
        )
    assert compared.result.systems["a"]["CLIP-S"] == whole["CLIP-S"]
    parts = [
        capella.rows(REFS, HYPS, "clip-s", shard=(k, 2), images=images, settings=one(settings)) for k in range(2)
    ]
    assert capella.merge(parts)["CLIP-S"] == whole["CLIP-S"]


def test_a_reward_goes_by_ids(settings, images):
    reward = capella.Reward("clip-s", REFS, images=images, settings=one(settings))
    values = reward([9, 7, 9], ["a dog", "a dog runs", "a dog"])
    assert values.dtype == np.float64 and values[0] == values[2]
    scored = capella.score(REFS, HYPS, ["clip-s"], images=images, settings=one(settings))
    assert np.mean([values[1], values[0], reward([12], ["the cats"])[0]]) == pytest.approx(scored["CLIP-S"])
    with pytest.raises(capella.CapellaError, match="ids"):
        reward(None, ["a dog"], references=[["a dog"]])


def test_devices(settings, images):
    on_cpu = capella.score(REFS, HYPS, "clip-s", images=images, settings=one(settings), device="cpu")
    assert on_cpu["CLIP-S"] == capella.score(REFS, HYPS, "clip-s", images=images, settings=one(settings))["CLIP-S"]
    with pytest.raises(capella.CapellaError, match="unknown device 'gpu'"):
        capella.score(REFS, HYPS, "clip-s", images=images, settings=one(settings), device="gpu")
    with pytest.raises(capella.CapellaError, match="unknown device 'gpu'"):
        capella.Reward("bleu", REFS, device="gpu")
