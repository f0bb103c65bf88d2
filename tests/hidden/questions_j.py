"""Concept questions on attention today: gradients, positions, sinks, masks, caches, interventions."""

import math

import torch
from hidden.lib import induction as repeating
from hidden.lib import recall

from grader.questions import Choice, Number, Text, question

DOUBLE = torch.float64


def normal(*shape, seed=0):
    """Independent standard normal entries."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=DOUBLE)


@question(1, Number(decimals=3))
def gradient_of_a_score(lab):
    """The weights of a row are {weights}, and the gradients of these weights are {gradients}. What is the gradient of
    the first score, before softmax?
    """
    first = lab.pick("first", 0.2, (0.1, 0.3, 0.4))
    weights = torch.tensor([first, 0.5, 0.5 - first], dtype=DOUBLE)
    gradients = lab.row("gradients", (3, -1, 2), -4, 4)
    lab.put(weights="[" + ", ".join(f"{w:g}" for w in weights.tolist()) + "]")
    found = lab.solution("attention_backward").softmax_backward(weights, gradients)
    scores = weights.log().requires_grad_()
    (checked,) = torch.autograd.grad((scores.softmax(0) * gradients).sum(), scores)
    lab.show("gradients of the scores, and as autograd finds them", [found, checked])
    diagonal = weights[0] * (1 - weights[0]) * gradients[0]
    if abs(diagonal - found[0]) > 1e-3:
        said = "that is the diagonal of the Jacobian only; the other weights move as well"
        lab.wrong_answer("diagonal", diagonal, said)
    product = weights[0] * gradients[0]
    if abs(product - found[0]) > 1e-3:
        said = "the mean of the gradients, taken with the weights, has to be subtracted first"
        lab.wrong_answer("product", product, said)
    return found[0]


def layer(x, bias=None, seed=0):
    """Attention with random matrices and a residual."""
    q, k, v = (x @ normal(6, 6, seed=seed + n) for n in range(3))
    scores = q @ k.T / math.sqrt(6)
    return x + (scores if bias is None else scores + bias).softmax(-1) @ v


def told(run):
    """Whether the last token's output changes when the first two tokens are exchanged."""
    x = normal(5, 6, seed=9)
    return not torch.allclose(run(x)[-1], run(x[[1, 0, 2, 3, 4]])[-1])


@question(2, Choice({
    "a": "one layer without a mask",
    "b": "one layer with a causal mask",
    "c": "two layers without a mask",
    "d": "two layers with a causal mask",
    "e": "one layer with ALiBi's bias",
    "f": "two layers without a mask, one and the same vector added to every token",
}, many=True))  # fmt: skip
def who_notices_the_order(lab):
    """The first two of five tokens are exchanged; nothing else tells positions. In which of these models can that
    change the output of the last token?
    """
    causal = torch.zeros(5, 5, dtype=DOUBLE).masked_fill(~lab.solution("causal_mask").causal_mask(5), -math.inf)
    alibi = lab.solution("positions").alibi_bias(2, 5)[0].double()
    same = normal(6, seed=30)
    found = {
        "a": told(lambda x: layer(x)),
        "b": told(lambda x: layer(x, causal)),
        "c": told(lambda x: layer(layer(x), seed=3)),
        "d": told(lambda x: layer(layer(x, causal), causal, seed=3)),
        "e": told(lambda x: layer(x, alibi)),
        "f": told(lambda x: layer(layer(x + same), seed=3)),
    }
    lab.show("model, output changed", list(found.items()))
    key = [letter for letter, changed in found.items() if changed]
    said = "with a causal mask the second layer sees it: the first two tokens saw different things"
    lab.wrong_answer("alibi_only", ["e"], said)
    said = "the last token sees both of them in either order, and a sum has no order"
    lab.wrong_answer("mask_suffices", ["b", "d", "e"], said)
    slips = {
        "a": ("attention_knows_places", "keys and values move along with their tokens, and a sum has no order"),
        "c": ("depth_tells_places",
              "without a mask a layer treats all tokens alike: "
              "if two inputs change places, so do two outputs, no more"),
        "e": ("bias_overlooked",
              "ALiBi takes more off the key that is farther away, and the exchange makes that the other one"),
        "f": ("any_vector_marks_places", "a vector that is the same everywhere marks no place"),
    }  # fmt: skip
    return lab.by_letter(key, slips)


@question(1, Number(0))
def pairs_without_a_turn(lab):
    """A model with RoPE has heads of {size} channels and the base {theta}. It was trained with texts of up to {length}
    tokens. How many of the {pairs} pairs of channels make less than one full turn in such a text?
    """
    size, length = lab.pick("size", 128, (64, 80, 96, 256)), lab.pick("length", 8192, (1024, 2048, 4096))
    theta = lab.pick("theta", 10000, (50000, 500000))
    lab.put(pairs=size // 2)
    frequency = lab.solution("rope_scaling").linear_frequencies(size, 1.0, theta).double()
    turns = length * frequency / (2 * math.pi)
    few = int((turns < 1).sum())
    rows = [[i, float(turns[i])] for i in (size // 2 - few - 1, size // 2 - few)]
    lab.show(
        "the last pair with a full turn and the first without: turns",
        rows,
    )
    said = "a turn has 2 pi radians: less than one radian is another matter"
    lab.wrong_answer("radians", int((length * frequency < 1).sum()), said)
    said = "these are the pairs that do make a full turn"
    lab.wrong_answer("the_others", size // 2 - few, said)
    channel = theta ** -(torch.arange(size) / size)
    said = "two channels make a pair: count pairs"
    lab.wrong_answer("channels", int((length * channel < 2 * math.pi).sum()), said)
    return few


TOKENS = ["START", "x", "A", "B", "y", "A"]


def induction(cut=None):
    """Logits for what follows the last A, and its weights in the second layer; `cut`: whose value there is 0.

    The first layer writes beside each token the one before it. In the second a token looks for a place behind an equal
    one; START has the key that fits everything, and a value of 0.
    """
    words = sorted(set(TOKENS))
    here = torch.nn.functional.one_hot(torch.tensor([words.index(t) for t in TOKENS]), len(words)).double()
    before = torch.cat([torch.zeros(1, len(words), dtype=DOUBLE), here[:-1]])
    fits_all = torch.tensor([5.0, 0, 0, 0, 0, 0], dtype=DOUBLE)
    weights = (4.0 * here[-1] @ before.T + fits_all).softmax(-1)
    values = here * (torch.arange(len(TOKENS)) > 0)[:, None]
    if cut is not None:
        values[cut] = 0
    return weights @ values, weights, words


@question(2, Choice({
    "a": "the token START",
    "b": "the token x",
    "c": "the first A",
    "d": "the token B",
    "e": "the token y",
}))  # fmt: skip
def what_makes_it_say_b(lab):
    """A model of two layers reads START x A B y A and says B: the text went on with B after A before. In the second
    layer the last A gives these six tokens the weights {weights}. The value of one of them in this layer is set to 0.
    After which of these interventions does the model no longer say B?
    """
    logits, weights, words = induction()
    says = {i: words[int(induction(i)[0].argmax())] for i in range(5)}
    lab.put(weights="[" + ", ".join(f"{w:.2f}" for w in weights.tolist()) + "]")
    effects = [
        [t, weights[i], (induction(i)[0] - logits)[words.index("B")], says.get(i, "")] for i, t in enumerate(TOKENS[:5])
    ]
    head = ["token", "weight", "change of B", "says"]
    lab.show("value cut, its weight, what it changes", effects, head=head)
    letters = dict(enumerate("abcde"))
    said = "the largest weight goes to START, whose value is 0: it is a sink"
    largest = letters[int(weights[:5].argmax())]
    lab.wrong_answer("largest_weight", largest, said)
    said = "A is what the head looks for; what it hands on is the token behind it"
    lab.wrong_answer("the_match", "c", said)
    said = "x stands before an A, but almost no weight lies on it: hardly anything of its value arrives"
    lab.wrong_answer("before_the_match", "b", said)
    said = "y stands nearest, but weight goes where a key fits, and y has almost none"
    lab.wrong_answer("the_nearest", "e", said)
    (key,) = [letters[i] for i, word in says.items() if word != "B"]
    return key


@question(2, Choice({
    "a": "the value of START is 0 in the second layer",
    "b": "in the first layer no token gets anything from the token before it",
    "c": "in the first layer each token gets something from the token before it, and from no other",
    "d": "the head of the second layer gives nothing",
    "e": "the value of START is 0 in the first layer",
}, many=True))  # fmt: skip
def what_repeating_needs(lab):
    """A model with two heads in the first layer and one in the second was trained to predict the next token. Its texts
    are a token START and then a random passage over and over; passages differ in length. Where the passage comes
    again, the loss of the trained model is below 0.2; guessing would cost 2.08. While the passage is new, the second
    layer gives START more than 0.8 of the weight on average. After which of these interventions is the loss on a
    passage that comes again above 1?
    """
    assert repeating.losses()[1] < 0.2
    assert round(repeating.GUESSED, 2) == 2.08
    assert float(repeating.looks()[1][0, 2]) > 0.8
    both = slice(None)
    found = {
        "a": repeating.losses(repeating.cut(1, 0, place=0))[1],
        "b": repeating.losses(repeating.from_before(False))[1],
        "c": repeating.losses(repeating.from_before(True))[1],
        "d": repeating.losses(repeating.cut(1, 0))[1],
        "e": repeating.losses(repeating.cut(0, both, place=0))[1],
    }
    rows = [[letter, f"{loss:.2f}"] for letter, loss in found.items()]
    lab.show("intervention, loss where the passage comes again", rows)
    said = "the second layer finds the place by what the first wrote there: which token stood before"
    lab.wrong_answer("the_last_step_only", ["d"], said)
    said = "the largest weight lies on START, and taking its value away changes nothing: weights are not effects"
    lab.wrong_answer("largest_weight", ["a", "d"], said)
    lab.wrong_answer("largest_weight_too", ["a", "b", "d"], said)
    said = "the token before is all that the second layer needs from the first"
    lab.wrong_answer("all_of_the_first", ["b", "c", "d"], said)
    said = "the first layer only tells what stood before; it takes the second to find what followed last time"
    lab.wrong_answer("one_layer_suffices", ["b"], said)
    loss = f"{found['e']:.2f}"
    said = Text("START says nothing about the passage: without its value in the first layer the loss is {loss}").format(
        loss=loss
    )
    lab.wrong_answer("start_feeds_the_first", ["b", "d", "e"], said)
    return [letter for letter, loss in found.items() if loss > 1]


@question(2, Choice({
    "a": "asked for a single pair, both are right more than nine times in ten",
    "b": "of 8 pairs, the RNN knows the last one better than the first",
    "c": "of 8 pairs, attention knows the last one better than the first",
    "d": "of 16 pairs, attention knows more than nine in ten",
    "e": "of 4 pairs, the RNN knows more than half",
}, many=True))  # fmt: skip
def who_recalls(lab):
    """One attention layer with 4608 parameters and a recurrent network (RNN) with 4712 are trained alike: they read 1
    to 8 pairs of a key and a value, then one of the keys, and have to name its value, one of 16. Which of these hold
    afterwards, on new pairs?
    """
    assert {kind: recall.parameters(kind) for kind in recall.KINDS} == {"attention": 4608, "rnn": 4712}
    rows = [
        [n, *(f"{part:.2f}" for kind in recall.KINDS for part in recall.accuracy(kind, n))] for n in (1, 2, 4, 8, 16)
    ]
    head = ["pairs", "attention", "first", "last", "RNN", "first", "last"]
    lab.show("right answers: all, the first pair, the last", rows, head=head)
    found = {n: {kind: recall.accuracy(kind, n) for kind in recall.KINDS} for n in (1, 4, 8, 16)}
    (_, first, last), (_, rnn_first, rnn_last) = found[8].values()
    true = {
        "a": min(share for share, _, _ in found[1].values()) > 0.9,
        "b": rnn_last > rnn_first + 0.1,
        "c": last > first + 0.1,
        "d": found[16]["attention"][0] > 0.9,
        "e": found[4]["rnn"][0] > 0.5,
    }
    said = "attention meets each pair in one step, however far back; in an RNN's state later pairs cover earlier ones"
    lab.wrong_answer("both_fade", ["a", "b", "c", "d"], said)
    said = "more pairs than in training are no obstacle: the weight goes to the one whose key fits"
    lab.wrong_answer("not_beyond_training", ["a", "b"], said)
    said = "the state keeps its size, and four pairs are already too much for it after this training"
    lab.wrong_answer("the_state_holds_four", ["a", "b", "d", "e"], said)
    said = "a single pair fits into the state, and nothing comes after it to cover it"
    lab.wrong_answer("no_memory_at_all", ["b", "d"], said)
    said = "in the state, what came last has been written over least"
    lab.wrong_answer("the_first_sticks", ["a", "d"], said)
    return [letter for letter, holds in true.items() if holds]


@question(1, Number(decimals=3))
def what_a_sink_leaves(lab):
    """The scores of a row are {scores}, and the score of its head's sink is {sink}. What do the weights of the keys add
    up to?
    """
    scores = lab.row("scores", (1, 2, 0.5), -2, 3)
    sink = lab.pick("sink", 1.5, (0.8, 2.2, -0.6))
    found = lab.solution("modern_scores").sink_softmax(scores[None, None], torch.tensor([sink], dtype=DOUBLE))[0, 0]
    total = scores.exp().sum()
    lab.show("weights of the keys, and their sum", [[*found, found.sum()]])
    lab.wrong_answer("plain", 1.0, "that is softmax without a sink")
    said = "the sink is a score: its exponential is added to the sum"
    lab.wrong_answer("not_exponentiated", total / (total + sink), said)
    lab.wrong_answer("of_the_sink", 1 - found.sum(), "that is what the sink takes")
    return found.sum()


@question(1, Number(0))
def pairs_of_packed_documents(lab):
    """Documents of {one}, {two} and {three} tokens stand in one row. The mask is causal and keeps documents apart. How
    many pairs of a query and a key are visible?
    """
    lengths = [lab.pick("one", 5, (4, 6, 9)), lab.pick("two", 3, (2, 7, 8)), lab.pick("three", 8, (5, 10, 12))]
    documents = torch.cat([torch.full((n,), i) for i, n in enumerate(lengths)])
    mask = lab.solution("packed_mask").packed_mask(documents)
    whole = len(documents) * (len(documents) + 1) // 2
    lab.show("visible pairs, with a causal mask only", [[int(mask.sum()), whole]])
    lab.wrong_answer("causal_only", whole, "documents see those before them")
    squares = sum(n * n for n in lengths)
    lab.wrong_answer("not_causal", squares, "within a document later tokens are hidden")
    return int(mask.sum())


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
    said = "a head keeps a key and a value"
    lab.wrong_answer("keys_only", 2 * mla / head, said)
    said = "the rotated part is kept as well"
    lab.wrong_answer("latent_only", ways.mla_bytes(1, latent, 0) / head, said)
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
    said = "there both take as many; the next length is the first with more"
    lab.wrong_answer("as_many", length - 1, said)
    said = "mixing the values takes as many FLOPs as the scores"
    lab.wrong_answer("scores_only", 2 * (length - 1) + 1, said)
    said = "that is the width of the model; the MLP is four times as wide"
    lab.wrong_answer("width", d, said)
    return length
