"""Written answers: a person grades them by the rubric, whose lines say what earns their points and what earns half."""

# ruff: noqa: E501 -- a line of a rubric

from grader.questions import Text, Written, question


def worth(points, said, half=""):
    """A line of a rubric: its points, what earns them, what earns half of them."""
    if half:
        return Text("({points:g}) {said}. Half: {half}.").format(points=points, said=Text(said), half=Text(half))
    return Text("({points:g}) {said}.").format(points=points, said=Text(said))


def void(said):
    """A plain error costs a point."""
    return Text("(-1) Claims that {said}.").format(said=Text(said))


@question(3, Written((
    worth(1, "Between any two tokens the path has one step", "attention looks at all tokens at once, but not what that shortens"),
    worth(1, "A recurrent network needs j - i steps and multiplies as many Jacobians, so gradients vanish or explode", "it forgets, without the product or the gradient"),
    worth(1, "The price: time and memory grow with the square of the length", "a cost, but not that it is quadratic"),
    void("attention costs nothing, or recurrent networks cannot represent long dependencies at all"),
), model="In self-attention every token reads every other one directly: one layer connects tokens i and j, however far apart they are, and so does one step of back-propagation. In a recurrent network the same information passes through j - i states; its gradient is a product of j - i Jacobians and shrinks or grows exponentially. The price is that all pairs are compared: n^2 scores for n tokens, in time and, if they are stored, in memory."))  # fmt: skip
def long_range(lab):
    """Why is it easier for attention than for a recurrent network to connect words that are far apart, and what does
    attention pay for it?
    """


@question(4, Written((
    worth(1, "What a token contributes is weight times value: a large weight on a small value, or on one that W_O removes, does little", "values matter too, but not how"),
    worth(1, "Different weights can give the same output", "weights are not unique, without the output"),
    worth(1, "The residual path, other heads and later layers also decide what the model does", "only one of them"),
    worth(1, "A counterexample with numbers that are right", "an example whose numbers are missing or slightly wrong"),
), model="The output is the sum of weight times value, so a weight alone says nothing about the effect: with the values 0 and 10, the weights [0.9, 0.1] give 1, and the token with 90 % of the attention contributes nothing. Other weights can give the same output: with the values 1, 2 and 3 the weights [0.4, 0.2, 0.4] and [0.2, 0.6, 0.2] both give 2. Moreover, the output is projected by W_O, added to other heads and to the residual path, and changed by later layers."))  # fmt: skip
def weights_and_explanations(lab):
    """Why does a row of attention weights not explain what a model did? Give an example with numbers."""


@question(2.5, Written((
    worth(1, "The dot product of two vectors whose d entries are independent, with mean 0 and variance 1, has variance d", "scores grow with d, without the variance"),
    worth(1, "Large scores saturate softmax, and its gradient goes to 0", "one of the two"),
    worth(0.5, "It is the root, not d itself, and d is the width of one head"),
    void("the division saves time"),
), model="If the entries of queries and keys are independent with mean 0 and variance 1, a score is a sum of d products and has variance d, so its standard deviation is sqrt(d). Without the division the scores of wide heads are large, softmax puts nearly all weight on one key, and its gradient is nearly 0. Dividing by sqrt(d) makes the variance 1 again; d is the width of one head, since each head computes its scores from its own channels."))  # fmt: skip
def why_the_root(lab):
    """Why are scores divided by the square root of d, and which width is d?"""


@question(2.5, Written((
    worth(1, "Each head has projections of its own, so one layer can follow several patterns at once", "heads look at different things, without the projections"),
    worth(1, "One row of softmax is one distribution: a single head averages what it looks at for different reasons", "a single head is limited, without why"),
    worth(0.5, "W_O mixes the heads, and what each does is learned, not assigned"),
    void("a certain head always learns syntax"),
), model="Each head has its own W_Q, W_K and W_V and therefore its own weights. One head can attend to the previous token while another one attends to the subject of the sentence. A single head of the same total width has one row of weights for each query: if it attends to both tokens, it passes on their average and can no longer tell them apart. W_O combines the heads; which head does what is a result of training."))  # fmt: skip
def why_several_heads(lab):
    """What can several heads do that one head of the same total width cannot?"""


@question(2.5, Written((
    worth(1, "Scores should depend on relative positions, and rotating queries and keys does exactly that", "position enters the scores, but not that it is relative"),
    worth(1, "What is passed on should not depend on the absolute position", "values are content, without the consequence"),
    worth(0.5, "An experiment: with rotated values, shifting the whole text changes the output"),
    void("values hold no information on position at all (those of deeper layers do)"),
), model="The score of a rotated query and a rotated key depends on the distance between them only, and that is where position matters: who looks at whom. Values are the content that is mixed. If they were rotated, the mix would be rotated by the absolute position of each key: when the whole text moves by 10 positions the weights stay, but the output changes. That can be tried: it does, whereas without rotated values the output is the same."))  # fmt: skip
def why_not_values(lab):
    """RoPE rotates queries and keys. Why not the values?"""


@question(2.5, Written((
    worth(1, "Training predicts the next token at every position at once; without the mask each position could read its answer", "the future must not be seen, but not why it could be"),
    worth(1, "A prompt is processed many positions at a time, so it needs the mask too", "inference, without the difference between a prompt and single tokens"),
    worth(0.5, "One new token with a cache needs none: all cached keys are before it"),
), model="In training all positions of a text are processed at once, and each is to predict the token after it; without the mask it could copy that token. The same holds when a prompt is processed in one pass or in chunks: its states must be the ones that the model was trained with. When one new token is decoded with a cache, every key in the cache is before it, so a mask would hide nothing."))  # fmt: skip
def when_the_mask(lab):
    """When does a decoder need its causal mask, when does it not, and why?"""


@question(2.5, Written((
    worth(1, "Query: what a token looks for; key: what it is found by; value: what it passes on", "two of the three"),
    worth(1, "The weights come from queries and keys alone; values only enter the output", "one of the two"),
    worth(0.5, "Where the comparison with a database ends: keys are not unique, matches are gradual, or all three are learned"),
), model="A token's query says what it looks for, its key what it can be found by, and its value what it passes on when it is found. Queries and keys give the scores and so the weights; values are only mixed. Unlike in a database a query matches every key to some degree, two tokens may have the same key, and the answer is a mix of values that need not be stored anywhere. All three come from learned projections of the same tokens."))  # fmt: skip
def three_roles(lab):
    """What are queries, keys and values for, and where does the comparison with a database end?"""


@question(2.5, Written((
    worth(1, "Self-attention takes queries, keys and values from one sequence; cross-attention takes keys and values from another", "one of the two"),
    worth(1, "Masked self-attention differs by its mask, not by its sources", "what the mask hides, without the sources"),
    worth(0.5, "A use for each"),
), model="In self-attention queries, keys and values are computed from the same sequence; an encoder reads a sentence that way. Masked self-attention has the same sources, but each token sees only itself and what is before it; a decoder writes that way. In cross-attention the queries come from one sequence and the keys and values from another, as when a translation consults the sentence to be translated."))  # fmt: skip
def three_kinds(lab):
    """How do self-attention, masked self-attention and cross-attention differ, and where is each used?"""
