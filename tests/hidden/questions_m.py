"""Concept questions on sinks, packed documents, and what a model remembers."""

import torch
from hidden.lib import induction as repeating
from hidden.lib import recall

from grader.questions import Choice, Number, Text, question

DOUBLE = torch.float64
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
    lab.wrong_answer("the_match", "c", "A is what the head looks for; what it hands on is the token behind it")
    said = "x stands before an A, but almost no weight lies on it: hardly anything of its value arrives"
    lab.wrong_answer("before_the_match", "b", said)
    lab.wrong_answer("the_nearest", "e", "y stands nearest, but weight goes where a key fits, and y has almost none")
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
    lab.wrong_answer("the_first_sticks", ["a", "d"], "in the state, what came last has been written over least")
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
