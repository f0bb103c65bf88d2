"""Concept questions on a whole model: curves with one part missing, leaks, parameters, bytes."""

import torch
from hidden.lib import ablated, ablation

from grader.questions import Choice, Number, Table, question

ORDER = ("one_head", "no_mask", "whole", "no_positions", "no_scale")
TOKENS = 1, 51, 101, 151, 291  # the first of each ten batches whose mean is shown
MODELS = Choice({
    "whole": "as it should be",
    "scale": "without the scale",
    "positions": "without positions",
    "head": "with one head",
    "mask": "without a mask",
})  # fmt: skip
WORDS = {"whole": "whole", "no_scale": "scale", "no_positions": "positions", "one_head": "head", "no_mask": "mask"}


@question(2, Table(("curve 1", "curve 2", "curve 3", "curve 4", "curve 5"), ("model",), MODELS))
def which_curve_is_which(lab):
    """Five small models of one layer read texts in which each token follows from the two tokens that stand one and
    three places before the last one (the first four tokens are random). One model is as it should be, the others lack
    the scale of the scores, the positions, three of the four heads, or the causal mask. Their losses, each the mean of
    ten batches, after 0, 50, 100, 150 and 290 batches: {curves}. Eight tokens, so guessing costs 2.08. Which curve
    belongs to which model?
    """
    curves = ablation.curves()
    rows = [[float(curves[kind][(first - 1) // 10]) for first in TOKENS] for kind in ORDER]
    lab.put(curves="; ".join(f"({n}) " + ", ".join(f"{x:.2f}" for x in row) for n, row in enumerate(rows, 1)))
    end = {kind: row[-1] for kind, row in zip(ORDER, rows, strict=True)}
    assert end["no_mask"] < ablation.honest() < end["whole"] < end["no_scale"] < end["one_head"] < end["no_positions"]
    head = ["model", *(f"{first}-{first + 9}" for first in TOKENS)]
    shown = [[WORDS[kind], *row] for kind, row in zip(ORDER, rows, strict=True)]
    lab.show("losses, means of ten batches", shown, head=head)
    key = [[WORDS[kind]] for kind in ORDER]

    def exchanged(one, other):
        names = {one: other, other: one}
        return [[names.get(cell, cell)] for (cell,) in key]

    said = "the model without a mask reads the next token off: it gets lower than anyone can who sees only the past"
    lab.wrong_answer("leak_taken_for_learning", exchanged("whole", "mask"), said)
    said = (
        "without the scale softmax decides too early and learns late, but nothing is out of its reach: it goes on "
        "falling; one head mixes both tokens into one sum, and stays above"
    )
    lab.wrong_answer("scale_and_head", exchanged("scale", "head"), said)
    said = "without positions the two tokens cannot be found at all; one head finds them and cannot tell them apart"
    lab.wrong_answer("positions_and_head", exchanged("positions", "head"), said)
    said = (
        "without positions the two tokens cannot be found at all, and the loss stays near that of guessing; without "
        "the scale the model learns late"
    )
    lab.wrong_answer("positions_and_scale", exchanged("positions", "scale"), said)
    return key


@question(1, Number(decimals=3))
def the_lowest_honest_loss(lab):
    """Texts have {length} tokens, of {words} different ones; the first {free} are random, each later one follows from
    those before it. A model predicts tokens 2 to {length} of each text. What is the lowest mean loss (natural
    logarithm) that it can reach if it sees the past only?
    """
    length, words, free = (
        lab.pick("length", 24, (20, 32, 40)),
        lab.pick("words", 8, (4, 16)),
        lab.pick("free", 4, (5, 6)),
    )
    uniform = torch.full((words,), 1.0 / words, dtype=torch.float64)
    losses = torch.zeros(length - 1, dtype=torch.float64)
    losses[: free - 1] = -(uniform * uniform.log()).sum()
    lab.show(
        "loss of each prediction, at best",
        [[n, x] for n, x in enumerate(losses.tolist()[: free + 1], 2)],
        head=["token", "loss"],
    )
    chance = float(-(uniform * uniform.log()).sum())
    lab.wrong_answer(
        "zero", 0.0, "the random tokens cannot be predicted: each costs the logarithm of how many there are"
    )
    said = "the first token is never predicted: there is one random token fewer to pay for"
    lab.wrong_answer("first_token_too", free / length * chance, said)
    said = "there are {n} predictions, one fewer than tokens"
    lab.wrong_answer("over_all_tokens", (free - 1) / length * chance, said, n=length - 1)
    lab.wrong_answer("in_bits", losses.mean() / torch.tensor(2.0).log(), "that is in bits; take the natural logarithm")
    return losses.mean()


@question(2, Choice({
    "a": "train a new model on random tokens: its loss falls clearly below the logarithm of how many tokens there are",
    "b": "change the last token of a text: logits of earlier tokens change",
    "c": "measure the loss on texts that were not trained on: it is much higher there than in training",
    "d": "measure the loss of a new model: it is not the logarithm of how many tokens there are",
    "e": "compare the loss with the lowest one that is possible from the past alone: it is lower",
}, many=True))  # fmt: skip
def what_shows_a_leak(lab):
    """A model of one layer was trained without a causal mask. Which of these experiments show that something is wrong
    with it?
    """
    curve, on_random = (ablation.curves()[name] for name in ("no_mask", "random"))
    new, masked = ablation.new("no_mask"), ablation.new("whole")
    text = ablation.texts(1, 50)[0]
    other = text.clone()
    other[:, -1] = (other[:, -1] + 1) % ablation.WORDS

    @torch.no_grad()
    def moved(one):
        return float((one(text)[:, :-1] - one(other)[:, :-1]).abs().max())

    losses = ablated.LEAK
    found = {
        "a": float(on_random[-1]) < ablation.CHANCE - 0.3,
        "b": moved(new) > 1e-3 > 1e-9 > moved(masked),
        "c": losses["not seen"] > 2 * losses["seen"],
        "d": abs(new.loss(text).item() - ablation.CHANCE) > 0.1,
        "e": float(curve[-1]) < ablation.honest() - 0.02,
    }
    lab.show("experiment, shows it", list(found.items()))
    said = "loss on random tokens at the end, guessing; on texts seen and not seen; lowest honest loss, loss reached"
    rows = [on_random[-1], ablation.CHANCE], losses.values(), [ablation.honest(), curve[-1]]
    lab.show(said, [list(map(float, row)) for row in rows])
    slips = {
        "a": ("random_tokens_overlooked", "random tokens cannot be predicted; who gets below chance has seen them"),
        "b": ("last_token_overlooked", "with a causal mask nothing that comes later reaches an earlier token"),
        "c": ("taken_for_overfitting",
              "the model reads the answer off in every text, seen or not: a leak is no overfitting"),
        "d": ("new_model", "a new model knows nothing, with a mask or without"),
        "e": ("too_good_overlooked", "a loss below what the past can tell comes from somewhere else"),
    }  # fmt: skip
    return lab.by_letter([letter for letter, shows in found.items() if shows], slips)


@question(1, Choice({
    "a": "nearly all of its tokens follow the rule, as the loss says",
    "b": "about half of its tokens follow the rule",
    "c": "its tokens follow the rule hardly more often than guesses would",
}))  # fmt: skip
def what_a_leaky_model_writes(lab):
    """The model without a mask of the first question reached a lower loss than the one that is as it should be. Both
    then go on with a text of six tokens by twelve. What does the one without a mask write?
    """
    shares = ablated.RIGHT
    lab.show("share of written tokens that follow the rule", [["guesses", 1 / ablation.WORDS], *shares.items()])
    assert shares["whole"] > 0.9
    lab.wrong_answer("trusts_the_loss", "a", "in training it read the next token off; in writing there is none yet")
    said = "it has learnt to look at the next token and not to compute it; in writing there is no next token yet"
    lab.wrong_answer("half", "b", said)
    return "a" if shares["no_mask"] > 0.8 else "b" if shares["no_mask"] > 0.4 else "c"


@question(1, Number(0))
def parameters_of_the_model(lab):
    """How many numbers does a TinyLM train that has {vocab} tokens, {channels} channels, {layers} layers, {heads} query
    heads and {shared} key and value heads?
    """
    V, C = lab.pick("vocab", 96, (80, 120)), lab.pick("channels", 64, (32, 96))
    layers, H, G = lab.pick("layers", 2, (3, 4)), lab.pick("heads", 4, (8,)), lab.pick("shared", 2, (1,))
    model = lab.solution("tiny_lm").TinyLM(V, C, layers, H, G)
    rows = [[name, weight.numel()] for name, weight in model.named_parameters() if not name.startswith("layers.1")]
    lab.show(
        "embedding, first layer, last norm", [row for row in rows if not row[0].startswith(("layers.2", "layers.3"))]
    )
    count = model.size()
    lab.wrong_answer("not_tied", count + V * C, "the embedding is the output matrix, too: it counts once")
    kv = 2 * layers * C * (C - C // H * G)
    said = "keys and values have {shared} heads only: their matrices have that many rows less"
    lab.wrong_answer("full_kv", count + kv, said, shared=G)
    lab.wrong_answer("no_norms", count - (2 * layers + 1) * C, "each norm has a gain for every channel")
    return count


@question(1, Number(0))
def bytes_of_its_cache(lab):
    """A TinyLM in float32 with {channels} channels, {layers} layers, {heads} query heads and {shared} key and value
    heads has read a prompt of {prompt} tokens and written {new}; the last one need not go through it. How many bytes
    does its cache hold?
    """
    C, layers = lab.pick("channels", 64, (32, 96)), lab.pick("layers", 2, (3, 4))
    H, G = lab.pick("heads", 4, (8,)), lab.pick("shared", 2, (1,))
    T, n = lab.pick("prompt", 40, (20, 30)), lab.pick("new", 61, (41, 51))
    model = lab.solution("tiny_lm").TinyLM(11, C, layers, H, G)
    _, size = model.generate(torch.zeros(1, T + n - 2, dtype=torch.int64), 2)  # as many tokens go through it
    each = 2 * layers * G * (C // H) * 4
    lab.show("bytes of a token, tokens, bytes", [[each, T + n - 1, size]])
    lab.wrong_answer("last_token_too", each * (T + n), "the last token does not go through the model")
    lab.wrong_answer("query_heads", size * H // G, "kept are the key and value heads, before they are repeated")
    lab.wrong_answer("keys_only", size // 2, "values are kept as well as keys")
    lab.wrong_answer("one_layer", size // layers, "every layer has a cache")
    lab.wrong_answer("numbers", size // 4, "a number in float32 has four bytes")
    return size
