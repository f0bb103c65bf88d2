"""Written answers: a person grades them by the rubric, a line a point."""

# ruff: noqa: E501 -- a line of a rubric in both languages

from grader.questions import Written, question


@question(3, Written((
    ("the path between any two tokens has length 1", "任意两个词元之间的路径长度为 1"),
    ("a recurrent network needs j - i steps and multiplies as many Jacobians, so gradients fade or explode", "循环网络需要 j - i 步，要连乘同样多的雅可比矩阵，梯度会消失或爆炸"),
    ("all positions are trained in parallel; the price is memory and time that grow with the square of the length", "所有位置可以并行训练；代价是内存和时间按长度的平方增长"),
    ("void: attention has no cost, or recurrent networks cannot represent long dependencies at all", "以下说法作废：注意力没有代价；循环网络根本无法表示长距离依赖"),
)))  # fmt: skip
def long_range(lab):
    """Why is it easier for attention than for a recurrent network to connect words that stand far apart, and what does it
    pay for that?

    为什么注意力比循环网络更容易把相隔很远的词联系起来？它为此付出了什么代价？
    """


@question(4, Written((
    ("a contribution is weight times value: a large weight on a small or projected-away value does little", "贡献是权重乘以值：值很小，或被投影掉，权重再大也没多少作用"),
    ("several sets of weights can give the same output", "不同的权重可以给出相同的输出"),
    ("the residual path, W_O and later layers change what arrives", "残差路径、W_O 和后续各层都会改变最终到达的信息"),
    ("one concrete counterexample with numbers", "给出一个带数字的具体反例"),
)))  # fmt: skip
def weights_and_explanations(lab):
    """Why is a row of attention weights not an explanation of what a model did? Give an example with numbers.

    为什么一行注意力权重并不能解释模型的行为？请给出一个带数字的例子。
    """


@question(2.5, Written((
    ("the dot product of independent entries of variance 1 has variance d", "各分量独立且方差为 1 时，点积的方差为 d"),
    ("large scores saturate softmax, whose gradient then goes to 0", "分数过大时 softmax 饱和，梯度趋于 0"),
    ("the root of d, not d; the d of one head", "除以 d 的平方根而不是 d；d 是单个头的宽度"),
    ("void: it is done to save time", "以下说法作废：为了节省时间"),
)))  # fmt: skip
def why_the_root(lab):
    """Why are scores divided by the square root of d, and of which d?

    分数为什么要除以 d 的平方根？这里的 d 指什么？
    """


@question(2.5, Written((
    ("each head has projections of its own and so patterns of its own, within one layer", "每个头有自己的投影，因而在同一层里有自己的关注模式"),
    ("a single row of softmax is one distribution: it cannot look at two things for two reasons", "一行 softmax 只是一个分布，无法出于两种理由看两处"),
    ("W_O mixes the heads; their roles are learned, not assigned", "W_O 把各头混合起来；各头的分工是学出来的，不是指定的"),
    ("void: a certain head always learns syntax", "以下说法作废：某个头总是学习语法"),
)))  # fmt: skip
def why_several_heads(lab):
    """What can several heads do that one head of the same total width cannot?

    多个头能做到什么，是总宽度相同的单个头做不到的？
    """


@question(2.5, Written((
    ("scores need relative positions: rotating queries and keys gives just that", "分数需要相对位置：旋转查询和键正好给出它"),
    ("content must not depend on the absolute index", "内容不应取决于绝对位置"),
    ("an experiment: with rotated values a shift of the whole sequence changes the output", "实验：旋转值之后，整个序列平移，输出就变了"),
    ("void: values hold no information on position at all (deeper layers do)", "以下说法作废：值完全不含位置信息（更深的层是含有的）"),
)))  # fmt: skip
def why_not_values(lab):
    """RoPE rotates queries and keys. Why not the values?

    RoPE 旋转查询和键。为什么不旋转值？
    """


@question(2.5, Written((
    ("training predicts every position at once; without the mask each would read its answer", "训练时同时预测所有位置；没有掩码，每个位置都会直接读到答案"),
    ("prefill processes many positions at once, so it needs the mask too", "预填充同时处理许多位置，因此也需要掩码"),
    ("a single new token with a cache needs none: everything cached lies before it", "有缓存的单个新词元不需要：缓存里的都在它之前"),
)))  # fmt: skip
def when_the_mask(lab):
    """When does a decoder need its causal mask, when does it not, and why?

    解码器什么时候需要因果掩码，什么时候不需要？为什么？
    """


@question(2.5, Written((
    ("query: what a token looks for; key: what it is found by; value: what it hands over", "查询：词元在找什么；键：凭什么被找到；值：交出什么内容"),
    ("weights come from queries and keys alone; values only enter the output", "权重只由查询和键决定；值只进入输出"),
    ("where the comparison with a database ends: keys are not unique, matches are soft, all three are learned", "与数据库类比的局限：键不唯一，匹配是软的，三者都是学出来的"),
)))  # fmt: skip
def three_roles(lab):
    """What are queries, keys and values for, and where does the comparison with a database end?

    查询、键和值各起什么作用？与数据库的类比到哪里为止？
    """


@question(2.5, Written((
    ("self: queries, keys and values from one sequence; cross: keys and values from another one", "自注意力：查询、键、值来自同一序列；交叉注意力：键和值来自另一序列"),
    ("masked differs by the mask, not by the sources", "带掩码的注意力区别在于掩码，而不在于来源"),
    ("an example of use for each", "各举一个用途"),
)))  # fmt: skip
def three_kinds(lab):
    """How do self-attention, masked self-attention and cross-attention differ, and where is each used?

    自注意力、带掩码的自注意力和交叉注意力有什么区别？各用在哪里？
    """
