"""Concept questions on what inference costs: latents, lengths, drafts, traffic."""

import torch

from grader.questions import Number, question

DOUBLE = torch.float64


@question(1, Number(decimals=2))
def latent_in_heads(lab):
    """Multi-head latent attention keeps a vector of {latent} channels and a rotated part of {rotated} channels for each
    token and layer. A model with grouped heads of {size} channels has the same number of layers. How many heads of keys
    and values would need as many bytes?
    """
    latent, rotated = lab.pick("latent", 512, (256, 384, 768)), lab.pick("rotated", 64, (32, 96))
    size = lab.pick("size", 128, (64, 80))
    ways = lab.solution("cache_bytes")
    mla, head = ways.mla_bytes(1, latent, rotated), ways.kv_bytes(1, 1, size)
    lab.show("bytes a token and layer: MLA, one head", [[mla, head]])
    lab.wrong_answer("keys_only", 2 * mla / head, "a head keeps a key and a value")
    lab.wrong_answer("latent_only", ways.mla_bytes(1, latent, 0) / head, "the rotated part is kept as well")
    return mla / head


@question(1, Number(0))
def where_attention_overtakes(lab):
    """A model has {d} channels, {heads} heads of {size} channels, and an MLP of two matrices, {ff} channels wide. From
    which length on do the scores and the mixing of values take a token more FLOPs than the MLP? Every query meets all
    keys; projections and softmax are not counted.
    """
    heads = lab.pick("heads", 12, (8, 16, 20))
    size, d = 64, 64 * heads
    ff = 4 * d
    lab.put(size=size, d=d, ff=ff)
    ways = lab.solution("cache_bytes")
    length = ways.overtaking_length(d, ff, heads, size)
    at = [[n, ways.step_cost(1, n, heads, heads, size)[0], 4 * d * ff] for n in (length - 1, length)]
    lab.show("length, FLOPs of attention, of the MLP", at)
    lab.wrong_answer("as_many", length - 1, "there both take as many; the next length is the first with more")
    lab.wrong_answer("scores_only", 2 * (length - 1) + 1, "mixing the values takes as many FLOPs as the scores")
    lab.wrong_answer("width", d, "that is the width of the model; the MLP is four times as wide")
    return length


@question(1, Number(decimals=2))
def share_of_accepted_drafts(lab):
    """The probabilities of three tokens are {draft} in the draft model and {target} in the target. A token is drafted.
    With which probability is it accepted?
    """
    q = torch.tensor([lab.pick("first", 0.6, (0.5, 0.55, 0.65)), 0.3, 0.0], dtype=DOUBLE)
    p = torch.tensor([lab.pick("second", 0.2, (0.1, 0.25, 0.15)), 0.3, 0.0], dtype=DOUBLE)
    for row in (p, q):
        row[2] = 1 - row.sum()
    lab.put(draft=in_brackets(q), target=in_brackets(p))
    grid = (torch.arange(2000, dtype=DOUBLE) + 0.5) / 2000
    wide = (3, 2000, 3)
    drafts = torch.arange(3)[:, None].expand(3, 2000)
    yes = lab.solution("speculative_accept").accepted(p.expand(wide), q.expand(wide), drafts, grid.expand(3, 2000))
    share = yes.double().mean(-1)
    rows = [[x, q[x], p[x], share[x]] for x in range(3)]
    lab.show("token, its probability in the draft model, in the target, share of accepted ones", rows)
    found = torch.minimum(p, q).sum()
    assert abs(float(q @ share - found)) < 1e-3
    said = "that is the probability that two tokens are equal that were drawn independently"
    lab.wrong_answer("both_draw", p @ q, said)
    lab.wrong_answer("rejected", 1 - found, "that is the share of rejected drafts")
    said = "the tokens are not drafted equally often: weigh each share with the draft model's probability"
    lab.wrong_answer("mean_of_the_shares", share.mean(), said)
    return found


def in_brackets(row):
    """These probabilities, to two places."""
    return "[" + ", ".join(f"{float(x):.2f}" for x in row) + "]"


@question(2, Number(decimals=1))
def traffic_of_tiles(lab):
    """One head of attention has {n} queries, keys and values of {d} channels each. The standard way writes all scores
    to the GPU's large memory (HBM), reads them for softmax, writes the weights, and reads them to mix the values.
    Queries, keys and values are read once, the output is written once. FlashAttention writes no table: for each block
    of {block} queries it reads all keys and values once; each query is read once, and each output is written once. How
    many times as many numbers does the standard way move?
    """
    n, d = lab.pick("n", 4096, (2048, 8192)), lab.pick("d", 64, (128,))
    block = lab.pick("block", 128, (64, 256))
    standard = 4 * n * d + 4 * n * n
    tiled = 2 * n * d + 2 * n * d * (n // block)
    rows = [["standard", standard, n * n], ["in tiles", tiled, block * block]]
    lab.show("way, numbers moved, scores that exist at a time", rows)
    said = "keys and values do not stay on the chip: each block of queries reads them again"
    lab.wrong_answer("read_once", standard / (4 * n * d), said)
    said = "scores and weights are both written and read: the table is moved four times"
    lab.wrong_answer("moved_twice", (4 * n * d + 2 * n * n) / tiled, said)
    said = "a block of queries reads the values too"
    lab.wrong_answer("keys_only", standard / (2 * n * d + n * d * (n // block)), said)
    return standard / tiled
