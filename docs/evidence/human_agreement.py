#!/usr/bin/env python3
"""human_agreement.py METRIC: its Kendall tau-c with the experts' ratings of Flickr8k.

5,664 captions, three ratings each; Capella's small text-only DENEB was not trained on Flickr8k's captions or ratings.
"""

import sys

from common import capella, shared

SETTINGS = {"deneb": ["--set", "deneb.model=text-minilm", "--set", "deneb.text=minilm"]}


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: human_agreement.py METRIC")
    metric = sys.argv[1]
    words = ["-m", metric, *SETTINGS.get(metric, []), "--resamples", "100"]
    found = capella("meta", "flickr8k-expert", shared("data/flickr8k"), *words)
    print(f"{found['metrics'][0]['kendall_c']['value']:.4f}")


if __name__ == "__main__":
    main()
