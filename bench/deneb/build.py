"""Builds torch/bench's program against the PyTorch of this Python, without Capella's other libraries."""

from pathlib import Path

from torch.utils.cpp_extension import CUDA_HOME, load

ROOT = Path(__file__).resolve().parents[2]
BENCH = ("encoders", "drawn_models", "peer_file", "score_samples", "single_sample", "training_steps")
PLUGIN = ("attention", "boundary", "dropout", "flat_adam", "threads", "weights")
DENEB = ("features", "network", "plugin")
ENCODER = ("batches", "models", "transformer")


def sources() -> list[str]:
    folders = {"torch/bench": BENCH, "torch": PLUGIN, "torch/deneb": DENEB, "torch/encoder": ENCODER}
    found = [ROOT / folder / f"{name}.cc" for folder, names in folders.items() for name in names]
    return [str(path) for path in [*found, ROOT / "src/method/deneb/recipe.cc"]]


def built_program() -> str:
    folder = ROOT / "build" / "bench-cuda"
    folder.mkdir(parents=True, exist_ok=True)
    load(
        name="bench_encoders",
        sources=sources(),
        extra_include_paths=[str(ROOT), str(ROOT / "src"), str(ROOT / "include"), f"{CUDA_HOME}/include"],
        extra_cflags=["-std=c++20", "-O2", "-DCAPELLA_CUDA_GRAPHS"],
        extra_ldflags=["-lc10_cuda"],
        build_directory=str(folder),
        with_cuda=True,
        is_python_module=False,
        is_standalone=True,
    )
    return str(folder / "bench_encoders")
