"""`--device` of the metrics that are built on encoders.

The plug-in is named by CAPELLA_TORCH: a file that is not there shows who would open it.
"""

import os

import pytest

from program import absent
from small_clip import picture, write_model
from small_text_encoder import write_text_encoder

CLIP = ["clip-s", "refclip-s", "pac-s", "refpac-s", "mid"]
TEXT = ["sentence-cosine", "bertscore", "moverscore"]
NO_PLUGIN = {"CAPELLA_TORCH": "absent-plugin.so"}


@pytest.fixture
def run(capella, small, write, tmp_path):
    write("other.json", {"1": "a cat", "2": "a dog", "3": "a man"})
    for id in "123":
        write(f"pictures/{id}.png", picture(int(id)))
    clip, text = write_model(tmp_path / "clip"), write_text_encoder(tmp_path / "text")

    def call(metric, *further, command=("score", "refs.json", "hyps.json"), env=None):
        models = dict.fromkeys(CLIP, clip) | dict.fromkeys(TEXT, text)
        settings = ["--set", f"{metric}.model={models[metric]}"] if metric in models else []
        pictures = ["--images", "pictures"] if metric in CLIP else []
        return capella(*command, "-m", metric, *settings, *pictures, *further, env=env)

    return call


@pytest.mark.parametrize("metric", CLIP + TEXT)
def test_encoders_run_where_they_are_told(run, metric):
    assert run(metric, "--device", "cuda", env=NO_PLUGIN).failed(1, "absent-plugin.so", "libcapella_torch.so")


@pytest.mark.parametrize(
    "command",
    [("compare", "refs.json", "hyps.json", "other.json"), ("explain", "refs.json", "hyps.json", "--id", "1")],
)
def test_other_commands(run, command):
    found = run("sentence-cosine", "--device", "cuda", command=command, env=NO_PLUGIN)
    assert found.failed(1, "absent-plugin.so")


def test_the_cpu_needs_no_plugin(run):
    plain = run("sentence-cosine", "--format", "json", env=NO_PLUGIN)
    assert "device" not in plain.out
    assert run("sentence-cosine", "--format", "json", "--device", "cpu", env=NO_PLUGIN).raw == plain.raw
    assert plain.code == 0, plain.err


def test_metrics_without_encoders_open_no_plugin(run):
    cuda = run("bleu", "--device", "cuda", env=NO_PLUGIN)
    assert cuda.raw == run("bleu").raw
    assert "the device cuda is not used" in cuda.err
    why = run("bleu", "--device", "cuda", command=("explain", "refs.json", "hyps.json", "--id", "1"), env=NO_PLUGIN)
    assert why.code == 0 and "the device cuda is not used" in why.err


def test_devices_have_names(run):
    assert run("bleu", "--device", "gpu").failed(2, "unknown device 'gpu'", "cpu, cuda")


@pytest.mark.skipif(os.path.exists("/dev/nvidiactl"), reason="this machine has a GPU")
def test_a_machine_without_a_gpu_says_so(plugin, run):
    assert run("sentence-cosine", "--device", "cuda").failed(2, "device 'cuda'", "no GPU", "--device cpu")
