"""One network by Hugging Face's transformers and PyTorch on the CPU, in the best of three sizes of batches."""

import argparse
import os
from pathlib import Path

import torch
from deneb.head import Head
from encoders.networks import NETWORKS, Network
from harness.contender import Job, peak_megabytes, score, time_each, write_answer
from safetensors.torch import load_file
from torch import Tensor
from transformers import BertModel, CLIPModel, RobertaModel

BATCHES = (4, 32, 256)


class Peer:
    def __init__(self, network: Network, folder: Path, inputs: dict[str, Tensor]) -> None:
        self.part, self.inputs, self.count = network.part, inputs, network.count
        if network.folder == "clip":
            self.network = CLIPModel.from_pretrained(folder)
        elif network.folder == "head":
            self.network = Head(512, 768)
            self.network.load_state_dict(load_file(folder / "model.safetensors"))
        else:
            kind = RobertaModel if network.folder == "roberta" else BertModel
            self.network = kind.from_pretrained(folder, add_pooling_layer=False)
        self.network.eval()

    def _rows(self, part: slice) -> Tensor:
        given, network = self.inputs, self.network
        if self.part == "images":
            return network.visual_projection(network.vision_model(pixel_values=given["pixels"][part]).pooler_output)
        if self.part == "texts":
            return network.text_projection(network.text_model(input_ids=given["ids.clip"][part]).pooler_output)
        if self.part == "sentences":
            return network(input_ids=given["ids.bert"][part]).last_hidden_state[:, 0]
        clip, sentence = (
            (given[f"candidate.{of}"][part], given[f"references.{of}"][part]) for of in ("clip", "sentence")
        )
        return network(given["image"][part], clip, sentence)

    @torch.inference_mode()
    def run(self, batch: int) -> Tensor:
        return torch.cat([self._rows(slice(k, min(k + batch, self.count))) for k in range(0, self.count, batch)])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("number", type=int)
    parser.add_argument("--references", type=Path, required=True, help="the network's folder")
    parser.add_argument("--captions", type=Path, required=True, help="what it is asked")
    parser.add_argument("--repetitions", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    torch.set_num_threads(len(os.sched_getaffinity(0)))
    peer = Peer(NETWORKS[given.number], given.references, load_file(given.captions))
    best, answer = [float("inf")], torch.empty(0)
    for batch in BATCHES:
        seconds, rows = time_each(given.repetitions, lambda _, batch=batch: peer.run(batch))
        if min(seconds) < min(best):
            best, answer = seconds, rows
    job = Job({}, None, given.repetitions, given.out, "none")
    write_answer(job, best, peak_megabytes(), values={"vectors": score(answer.reshape(-1).tolist())})


if __name__ == "__main__":
    main()
