"""The folder of an adapter wherever that of a model is taken."""

import json

import pytest

from small_adapter import without_norms, write_adapter
from small_clip import picture, safetensors, write_model
from small_text_encoder import read_safetensors, write_text_encoder

REFERENCES = {"1": ["a red dog runs", "the dog on grass"], "2": ["two cat sleeps on the sofa"]}
CAPTIONS = {"1": "a dog runs on the grass", "2": "a cat on a ball"}


@pytest.fixture
def data(write):
    write("refs.json", REFERENCES)
    write("hyps.json", CAPTIONS)
    for id in REFERENCES:
        write(f"pictures/{id}.png", picture(int(id)))


def test_of_texts(capella, data, tmp_path):
    base = without_norms(write_text_encoder(tmp_path / "base"))
    modules = ["encoder.layer.0.attention.self.query", "encoder.layer.1.output.dense"]
    merged = write_adapter(tmp_path / "mine", base, modules, "../base")
    write_text_encoder(tmp_path / "merged")
    (tmp_path / "merged" / "model.safetensors").write_bytes(safetensors(merged))

    def score(model):
        settings = ["--set", f"bertscore.model={model}", "--format", "json"]
        return capella("score", "refs.json", "hyps.json", "-m", "bertscore", *settings)

    found, expected, plain = (score(model).scores() for model in ("mine", "merged", "base"))
    assert found == pytest.approx(expected, abs=1e-6)
    assert found != pytest.approx(plain, abs=1e-3)
    assert "|model:mine(" in score("mine").out


def test_of_clip(capella, data, tmp_path):
    base = write_model(tmp_path / "base")
    layers = [f"{tower}.encoder.layers.1" for tower in ("text_model", "vision_model")]
    modules = [f"{layer}.self_attn.{part}" for layer in layers for part in ("q_proj", "v_proj")]
    merged = write_adapter(tmp_path / "mine", base, modules, str(base))
    write_model(tmp_path / "merged")
    (tmp_path / "merged" / "model.safetensors").write_bytes(safetensors(merged))

    def scores(model):
        settings = ["--set", f"refpac-s.model={model}", "--images", "pictures", "--format", "json"]
        return capella("score", "refs.json", "hyps.json", "-m", "refpac-s", *settings).scores()

    assert scores("mine") == pytest.approx(scores("merged"), abs=1e-5)
    assert scores("mine") != pytest.approx(scores("base"), abs=1e-3)


def test_a_base_that_is_not_there(capella, data, tmp_path):
    base = write_text_encoder(tmp_path / "base")
    write_adapter(tmp_path / "mine", base, ["encoder.layer.0.attention.self.query"], "someone/a-model")
    run = capella("score", "refs.json", "hyps.json", "-m", "bertscore", "--set", "bertscore.model=mine")
    run.failed(1, "mine/adapter_model.safetensors", "'someone/a-model'", "base_model_name_or_path")
