#!/usr/bin/env python3
"""How many of the networks that Shah, Sarkhel and Venugopal (2022) published Capella solves exactly.

A network counts if log Z and the probability of every atom are those of a sum over all worlds, within 1e-10. The sum is
made in numpy by the benchmark's peer, which shares nothing with Capella.
"""

import json
import math
import sys

from common import ROOT, capella, shared

sys.path.insert(0, str(ROOT / "bench"))
from mln.contenders.numpy_enumeration import solve_all  # noqa: E402
from mln.published import rules_of  # noqa: E402


def main() -> None:
    rules, parameters = shared("data/mln/allrules_cmnsense.txt"), shared("data/mln/rule_parameters_CS_val.txt")
    found = capella("mln", "infer", "--authors-rules", rules, "--authors-parameters", parameters)["images"]
    wanted = solve_all(rules_of(json.loads(parameters.read_text(encoding="utf-8"))))
    equal = 0
    for image, (log_z, marginals) in wanted.items():
        ours = found[image]
        pairs = [(ours["log_z"], log_z)] + [(ours["marginals"][atom], p) for atom, p in marginals.items()]
        equal += all(math.isclose(a, b, rel_tol=0, abs_tol=1e-10) for a, b in pairs)
    print(equal)


if __name__ == "__main__":
    main()
