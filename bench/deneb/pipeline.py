"""The peer: CLIP ViT-B/32 and RoBERTa-base of Hugging Face's transformers with drawn weights, and the head."""

import copy
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from deneb.head import Head
from torch import Tensor
from transformers import CLIPConfig, CLIPModel, RobertaConfig, RobertaModel

REFERENCES = 5
CAPTIONS = 1 + REFERENCES
WORDS = 14
CLIP_LENGTH = 77
SIDE = 224
PICTURES = 512  # different ones; shown again and again
MEAN = (0.48, 0.46, 0.41)
DEVIATION = (0.27, 0.26, 0.28)


@dataclass
class Known:
    """Vectors of images and references that were encoded before."""

    images: Tensor
    clip: Tensor
    sentences: Tensor


def drawn_ids(count: int, first: int, last: int) -> Tensor:
    words = torch.randint(1000, 41000, (count, WORDS))
    return torch.cat([torch.full((count, 1), first), words, torch.full((count, 1), last)], 1)


def drawn_captions(count: int, padded: bool = False) -> tuple[Tensor, Tensor]:
    """Ids for CLIP and for RoBERTa; all are equally long. CLIP's own tokenizer pads them to 77."""
    clip = drawn_ids(count, 49406, 49407)
    if padded:
        clip = torch.nn.functional.pad(clip, (0, CLIP_LENGTH - clip.shape[1]))
    return clip, drawn_ids(count, 0, 2)


def drawn_pictures(count: int) -> Tensor:
    return torch.randint(0, 256, (count, SIDE, SIDE, 3), dtype=torch.uint8).pin_memory()


class Pipeline:
    def __init__(self) -> None:
        torch.manual_seed(1)
        self.clip = CLIPModel(CLIPConfig()).eval()
        roberta = RobertaConfig(
            vocab_size=50265, max_position_embeddings=514, type_vocab_size=1, layer_norm_eps=1e-5, pad_token_id=1
        )
        self.roberta = RobertaModel(roberta, add_pooling_layer=False).eval()
        self.head = Head(512, 768).eval()
        self.type = torch.float32

    def on_gpu(self, dtype: torch.dtype) -> "Pipeline":
        moved = copy.deepcopy(self)
        for network in (moved.clip, moved.roberta, moved.head):
            network.to("cuda", dtype)
        moved.type = dtype
        return moved

    def arrays(self) -> dict[str, Tensor]:
        """All weights, as torch/bench/peer_file.h reads them."""
        found = {}
        for name, network in (("clip", self.clip), ("roberta", self.roberta), ("head", self.head)):
            found.update({f"{name}.{key}": value.contiguous() for key, value in network.state_dict().items()})
        return found

    def _texts(self, clip: Tensor, roberta: Tensor) -> tuple[Tensor, Tensor]:
        # The projected vectors themselves: what CLIPModel.get_text_features() gives, by any version of it.
        read = self.clip.text_model(input_ids=clip.to("cuda", non_blocking=True)).pooler_output
        states = self.roberta(input_ids=roberta.to("cuda", non_blocking=True), output_hidden_states=True).hidden_states
        return self.clip.text_projection(read), self.head.scalar_mix(states)

    def _images(self, pictures: Tensor, count: int) -> Tensor:
        rounds = [pictures[: min(len(pictures), count - begin)] for begin in range(0, count, len(pictures))]
        bytes_ = torch.cat([part.to("cuda", non_blocking=True) for part in rounds])
        mean, deviation = (torch.tensor(values, device="cuda").view(1, 3, 1, 1) for values in (MEAN, DEVIATION))
        pixels = ((bytes_.permute(0, 3, 1, 2).float() / 255 - mean) / deviation).to(self.type)
        return self.clip.visual_projection(self.clip.vision_model(pixel_values=pixels).pooler_output)

    @torch.inference_mode()
    def score(self, captions: Sequence[Tensor], pictures: Tensor, batch: int) -> Tensor:
        """Everything is encoded; the scores on the CPU."""
        found = []
        samples = len(captions[0]) // CAPTIONS
        for begin in range(0, samples, batch):
            count = min(batch, samples - begin)
            some = [ids[begin * CAPTIONS : (begin + count) * CAPTIONS] for ids in captions]
            clip, sentences = (rows.view(count, CAPTIONS, -1) for rows in self._texts(*some))
            image = self._images(pictures, count)
            found.append(self.head(image, (clip[:, 0], clip[:, 1:]), (sentences[:, 0], sentences[:, 1:])))
        return torch.cat(found).float().cpu()

    def known(self, samples: int) -> Known:
        draw = {"device": "cuda", "dtype": self.type}
        return Known(
            torch.randn(samples, 512, **draw),
            torch.randn(samples, REFERENCES, 512, **draw),
            torch.randn(samples, REFERENCES, 768, **draw),
        )

    @torch.inference_mode()
    def score_candidates(self, captions: Sequence[Tensor], known: Known, batch: int) -> Tensor:
        found = []
        for begin in range(0, len(captions[0]), batch):
            part = slice(begin, begin + batch)
            clip, sentences = self._texts(captions[0][part], captions[1][part])
            found.append(self.head(known.images[part], (clip, known.clip[part]), (sentences, known.sentences[part])))
        return torch.cat(found).float().cpu()
