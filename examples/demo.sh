#!/usr/bin/env bash
# What Capella does, in eight blocks. Each prints commands that you can paste, their output, and how to read it.
# Run it from the root of the repository; it stops at the first command that fails.
set -euo pipefail
CAPELLA=${CAPELLA:-build/capella}
out=build/demo
mkdir -p $out

block() { printf '\n\033[1m==> %s\033[0m\n' "$*"; }
explain() { printf '\n%s\n' "${*//$'\n'/ }" | fold -s -w 80 | sed 's/ $//'; }

# show COMMAND: prints it, then runs it.
show() {
  printf '\n$ %s\n' "$1"
  eval "$1"
}

has() { "$CAPELLA" data path "$1" >/dev/null 2>&1; }

# left_out WHAT PACKAGE
left_out() { printf '\n%s\n' "Left out: $1 (no $2 data here). Get it with: $CAPELLA data get $2"; }

block "1. The table of your paper"
metrics=
has meteor || metrics=" -m bleu,rouge-l,cider-d"
show "$CAPELLA score examples/scenes.json examples/systems/{careful,hasty,dreamer}.json$metrics"
[ -z "$metrics" ] || left_out "METEOR and SPICE" meteor
explain "One row per system, and higher is better. The last lines are signatures: they record the settings. Copy them
into your paper so that others can reproduce the scores."

block "2. Which system is better, and is the difference significant?"
show "$CAPELLA compare examples/scenes.json examples/systems/{careful,hasty}.json -m rouge-l,cider-d"
explain "careful is significantly better: each 95% interval excludes 0, and p < .05 after Holm's correction for
several tests."

block "3. Why did this caption get its score?"
show "$CAPELLA explain examples/scenes.json examples/systems/hasty.json --id cat-01 -m cider-d | sed -n 1,20p"
explain "Most of the score comes from the one reference that shares 'on the living room floor'. 'lying' is in no
reference, so it earns nothing."

block "4. Which caption generator is better, before it generates? (Tanti et al. 2018)"
show "$CAPELLA pregen metrics examples/pregen/probs/{merge,merge-small,init}.json.gz"
explain "Pre-gen metrics need only the probabilities that a generator gives to captions people wrote. Perplexity
(lower is better) and mean_max_normcount_prefix0 (higher is better) both rank merge > init > merge-small. And what do
they write?"
show "$CAPELLA score examples/pregen/references.json examples/pregen/captions/{merge,merge-small,init}.json -m cider-d"
explain "CIDEr-D confirms merge as the best, but ranks merge-small above init: that close race was predicted wrongly."

block "5. A composite metric, and the share of each of its scores (Sharif et al. 2018)"
if has meteor; then
  show "$CAPELLA explain examples/scenes.json examples/systems/hasty.json --id cat-01 -m eval-mcs | sed -n 1,12p"
  explain "A network that learned to tell human captions from machine captions fuses three scores into one. (Its CIDEr-D
uses document frequencies of COCO, so it differs from the one above.) The contributions are Shapley values: added to the
P(human) of an average caption, they give that of this one."
else
  left_out "Eval-MCS, which is made of METEOR, CIDEr-D and SPICE" meteor
fi

block "6. A verdict without references, by Markov logic (Shah et al. 2022)"
mln="--ground examples/mln/ground.jsonl --nli $out/nli.jsonl"
show "$CAPELLA mln nli examples/mln/{ground.jsonl,good.json,wrong.json} -o $out/nli.jsonl"
show "$CAPELLA mln report --explain 95 $mln \\
    --system good --captions examples/mln/good.json --against wrong --against-captions examples/mln/wrong.json"
show "$CAPELLA mln report --explain 95 $mln \\
    --system wrong --captions examples/mln/wrong.json"
explain "Learned rules and the boxes found in the image give each claim a probability P. Captions rarely say that a girl
walks a horse, and the boxes speak against it, so 'a girl walking a brown horse' is improbable. Each reason is listed with
its weight."

block "7. Learned metrics on the same two captions (Matsuda et al. 2024)"
if has minilm; then
  show "$CAPELLA score examples/mln/references.json examples/mln/{good,wrong}.json \\
    -m deneb,capella-s --set deneb.model=text-minilm --set deneb.text=minilm"
  explain "This DENEB is a small one of ours, trained on human ratings, which ignores the image; Capella-S is a sentence
encoder calibrated to ratings. Both compare meanings with the references, and both rate the wrong caption lower. One image
is an illustration, not evidence."
else
  left_out "DENEB and Capella-S, which encode sentences" minilm
fi

block "8. Does this build match the references?"
show "$CAPELLA verify 2>&1 | tail -n 2"
cat <<EOF

Next, with your own files:
  $CAPELLA score REFS.json MINE.json --format latex  # a table for your paper
  $CAPELLA compare REFS.json A.json B.json           # which system is better?
  $CAPELLA meta --help                               # agreement with people
  less docs/{pregen,composite,mln,deneb}.md               # the four methods
EOF
