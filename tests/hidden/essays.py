"""Written answers: a person grades them by the rubric, whose lines say what earns their points and what earns half."""

# ruff: noqa: E501 -- a line of a rubric in both languages

from grader.questions import Written, question


def worth(points, en, zh, half_en="", half_zh=""):
    """A line of a rubric: its points, what earns them, what earns half of them."""
    half = (f" Half: {half_en}.", f"一半：{half_zh}。") if half_en else ("", "")
    return f"({points:g}) {en}.{half[0]}", f"（{points:g} 分）{zh}。{half[1]}"


def void(en, zh):
    """A plain error costs a point."""
    return f"(-1) Claims that {en}.", f"（扣 1 分）声称{zh}。"


@question(3, Written((
    worth(1, "Between any two tokens the path has one step", "任意两个词元之间的路径只有一步", "attention looks at all tokens at once, but not what that shortens", "只说注意力同时看所有词元，没有说缩短了什么"),
    worth(1, "A recurrent network needs j - i steps and multiplies as many Jacobians, so gradients vanish or explode", "循环网络需要 j - i 步，要连乘同样多的雅可比矩阵，梯度会消失或爆炸", "it forgets, without the product or the gradient", "只说它会遗忘，没有提到连乘或梯度"),
    worth(1, "The price: time and memory grow with the square of the length", "代价：时间和内存按长度的平方增长", "a cost, but not that it is quadratic", "提到代价，但没有说是平方"),
    void("attention costs nothing, or recurrent networks cannot represent long dependencies at all", "注意力没有代价，或循环网络根本无法表示长距离依赖"),
), model=(
    "In self-attention every token reads every other one directly: one layer connects tokens i and j, however far apart they are, and so does one step of back-propagation. In a recurrent network the same information passes through j - i states; its gradient is a product of j - i Jacobians and shrinks or grows exponentially. The price is that all pairs are compared: n^2 scores for n tokens, in time and, if they are stored, in memory.",
    "自注意力中每个词元直接读取其他任何词元：无论 i 与 j 相距多远，一层就把它们连起来，反向传播也只需一步。在循环网络里，同样的信息要经过 j - i 个状态，梯度是 j - i 个雅可比矩阵之积，会按指数缩小或增大。代价是要比较所有的对：n 个词元有 n^2 个分数，时间如此，若要存下，内存也如此。",
)))  # fmt: skip
def long_range(lab):
    """Why is it easier for attention than for a recurrent network to connect words that are far apart, and what does
    attention pay for it?

    为什么注意力比循环网络更容易把相隔很远的词联系起来？它为此付出了什么代价？
    """


@question(4, Written((
    worth(1, "What a token contributes is weight times value: a large weight on a small value, or on one that W_O removes, does little", "贡献是权重乘以值：值很小，或会被 W_O 消去时，权重再大也没多少作用", "values matter too, but not how", "只说值也重要，没有说明怎样起作用"),
    worth(1, "Different weights can give the same output", "不同的权重可以给出相同的输出", "weights are not unique, without the output", "只说权重不唯一，没有联系到输出"),
    worth(1, "The residual path, other heads and later layers also decide what the model does", "残差路径、其他的头和后续各层也决定模型的行为", "only one of them", "只提到其中之一"),
    worth(1, "A counterexample with numbers that are right", "一个带数字的反例，且数字正确", "an example whose numbers are missing or slightly wrong", "有例子，但缺少数字或数字略有错误"),
), model=(
    "The output is the sum of weight times value, so a weight alone says nothing about the effect: with the values 0 and 10, the weights [0.9, 0.1] give 1, and the token with 90 % of the attention contributes nothing. Other weights can give the same output: with the values 1, 2 and 3 the weights [0.4, 0.2, 0.4] and [0.2, 0.6, 0.2] both give 2. Moreover, the output is projected by W_O, added to other heads and to the residual path, and changed by later layers.",
    "输出是权重乘以值之和，所以单看权重说明不了效果：值为 0 和 10 时，权重 [0.9, 0.1] 的输出是 1，得到 90% 注意力的词元毫无贡献。不同的权重也可以给出相同的输出：值为 1、2、3 时，权重 [0.4, 0.2, 0.4] 和 [0.2, 0.6, 0.2] 的输出都是 2。此外，输出还要经过 W_O，与其他的头和残差相加，再被后续各层改变。",
)))  # fmt: skip
def weights_and_explanations(lab):
    """Why does a row of attention weights not explain what a model did? Give an example with numbers.

    为什么一行注意力权重并不能解释模型的行为？请给出一个带数字的例子。
    """


@question(2.5, Written((
    worth(1, "The dot product of two vectors whose d entries are independent, with mean 0 and variance 1, has variance d", "两个向量的 d 个分量相互独立、均值为 0、方差为 1 时，点积的方差为 d", "scores grow with d, without the variance", "只说分数随 d 增大，没有提到方差"),
    worth(1, "Large scores saturate softmax, and its gradient goes to 0", "分数过大时 softmax 饱和，梯度趋于 0", "one of the two", "只说到其中之一"),
    worth(0.5, "It is the root, not d itself, and d is the width of one head", "除以的是平方根而不是 d，且 d 是单个头的宽度"),
    void("the division saves time", "除法是为了节省时间"),
), model=(
    "If the entries of queries and keys are independent with mean 0 and variance 1, a score is a sum of d products and has variance d, so its standard deviation is sqrt(d). Without the division the scores of wide heads are large, softmax puts nearly all weight on one key, and its gradient is nearly 0. Dividing by sqrt(d) makes the variance 1 again; d is the width of one head, since each head computes its scores from its own channels.",
    "若查询和键的各分量相互独立、均值为 0、方差为 1，一个分数就是 d 个乘积之和，方差为 d，标准差为 sqrt(d)。不做除法时，宽的头分数很大，softmax 几乎把全部权重给一个键，梯度几乎为 0。除以 sqrt(d) 之后方差又是 1；这里的 d 是单个头的宽度，因为每个头只用自己的通道计算分数。",
)))  # fmt: skip
def why_the_root(lab):
    """Why are scores divided by the square root of d, and which width is d?

    分数为什么要除以 d 的平方根？这里的 d 是哪个宽度？
    """


@question(2.5, Written((
    worth(1, "Each head has projections of its own, so one layer can follow several patterns at once", "每个头有自己的投影，因而一层可以同时遵循几种模式", "heads look at different things, without the projections", "只说各头看的东西不同，没有提到投影"),
    worth(1, "One row of softmax is one distribution: a single head averages what it looks at for different reasons", "一行 softmax 只是一个分布：单个头只能把出于不同理由所看的内容平均起来", "a single head is limited, without why", "只说单个头有局限，没有说明原因"),
    worth(0.5, "W_O mixes the heads, and what each does is learned, not assigned", "W_O 把各头混合起来；各头的分工是学出来的，不是指定的"),
    void("a certain head always learns syntax", "某个头总是学习语法"),
), model=(
    "Each head has its own W_Q, W_K and W_V and therefore its own weights. One head can attend to the previous token while another one attends to the subject of the sentence. A single head of the same total width has one row of weights for each query: if it attends to both tokens, it passes on their average and can no longer tell them apart. W_O combines the heads; which head does what is a result of training.",
    "每个头有自己的 W_Q、W_K、W_V，因而有自己的权重。一个头可以关注前一个词元，同时另一个头关注句子的主语。总宽度相同的单个头对每个查询只有一行权重：如果同时关注这两个词元，它传出的只是两者的平均，无法再区分。W_O 把各个头组合起来；哪个头做什么是训练的结果。",
)))  # fmt: skip
def why_several_heads(lab):
    """What can several heads do that one head of the same total width cannot?

    多个头能做到什么，是总宽度相同的单个头做不到的？
    """


@question(2.5, Written((
    worth(1, "Scores should depend on relative positions, and rotating queries and keys does exactly that", "分数应当取决于相对位置，旋转查询和键恰好做到这一点", "position enters the scores, but not that it is relative", "只说位置进入分数，没有说相对"),
    worth(1, "What is passed on should not depend on the absolute position", "传递的内容不应取决于绝对位置", "values are content, without the consequence", "只说值是内容，没有说明后果"),
    worth(0.5, "An experiment: with rotated values, shifting the whole text changes the output", "一个实验：旋转值之后，整段文本平移，输出就会改变"),
    void("values hold no information on position at all (those of deeper layers do)", "值完全不含位置信息（更深的层是含有的）"),
), model=(
    "The score of a rotated query and a rotated key depends on the distance between them only, and that is where position matters: who looks at whom. Values are the content that is mixed. If they were rotated, the mix would be rotated by the absolute position of each key: when the whole text moves by 10 positions the weights stay, but the output changes. That can be tried: it does, whereas without rotated values the output is the same.",
    "旋转后的查询与键的分数只取决于两者的距离，位置的作用正在于此：谁看谁。值是被混合的内容。如果也旋转值，混合的结果就会随每个键的绝对位置旋转：整段文本移动 10 个位置，权重不变，输出却变了。可以试一试：确实如此；不旋转值时输出不变。",
)))  # fmt: skip
def why_not_values(lab):
    """RoPE rotates queries and keys. Why not the values?

    RoPE 旋转查询和键。为什么不旋转值？
    """


@question(2.5, Written((
    worth(1, "Training predicts the next token at every position at once; without the mask each position could read its answer", "训练时在每个位置同时预测下一个词元；没有掩码，每个位置都能直接读到答案", "the future must not be seen, but not why it could be", "只说不能看到未来，没有说明为什么会看到"),
    worth(1, "A prompt is processed many positions at a time, so it needs the mask too", "提示词一次处理许多位置，因此也需要掩码", "inference, without the difference between a prompt and single tokens", "提到推理，但没有区分提示词与单个词元"),
    worth(0.5, "One new token with a cache needs none: all cached keys are before it", "有缓存时，单个新词元不需要掩码：缓存的键都在它之前"),
), model=(
    "In training all positions of a text are processed at once, and each is to predict the token after it; without the mask it could copy that token. The same holds when a prompt is processed in one pass or in chunks: its states must be the ones that the model was trained with. When one new token is decoded with a cache, every key in the cache is before it, so a mask would hide nothing.",
    "训练时同时处理一段文本的所有位置，每个位置要预测它后面的词元；没有掩码，它可以直接抄。一次或分块处理提示词时也是如此：得到的状态必须与训练时一致。用缓存逐个解码新词元时，缓存中的键都在它之前，掩码什么也不会遮住。",
)))  # fmt: skip
def when_the_mask(lab):
    """When does a decoder need its causal mask, when does it not, and why?

    解码器什么时候需要因果掩码，什么时候不需要？为什么？
    """


@question(2.5, Written((
    worth(1, "Query: what a token looks for; key: what it is found by; value: what it passes on", "查询：词元在找什么；键：凭什么被找到；值：传出什么内容", "two of the three", "说对其中两个"),
    worth(1, "The weights come from queries and keys alone; values only enter the output", "权重只由查询和键决定；值只进入输出", "one of the two", "说对其中之一"),
    worth(0.5, "Where the comparison with a database ends: keys are not unique, matches are gradual, or all three are learned", "与数据库类比的局限：键不唯一，匹配是渐进的，或三者都是学出来的"),
), model=(
    "A token's query says what it looks for, its key what it can be found by, and its value what it passes on when it is found. Queries and keys give the scores and so the weights; values are only mixed. Unlike in a database a query matches every key to some degree, two tokens may have the same key, and the answer is a mix of values that need not be stored anywhere. All three come from learned projections of the same tokens.",
    "词元的查询表示它在找什么，键表示凭什么能找到它，值表示找到之后传出什么。查询和键给出分数，从而给出权重；值只是被混合。与数据库不同，查询与每个键都有一定程度的匹配，两个词元可以有相同的键，答案是值的混合，不必存放在任何地方。三者都来自同一批词元的、学出来的投影。",
)))  # fmt: skip
def three_roles(lab):
    """What are queries, keys and values for, and where does the comparison with a database end?

    查询、键和值各起什么作用？与数据库的类比到哪里为止？
    """


@question(2.5, Written((
    worth(1, "Self-attention takes queries, keys and values from one sequence; cross-attention takes keys and values from another", "自注意力的查询、键、值来自同一序列；交叉注意力的键和值来自另一序列", "one of the two", "说对其中之一"),
    worth(1, "Masked self-attention differs by its mask, not by its sources", "带掩码的自注意力的区别在于掩码，而不在于来源", "what the mask hides, without the sources", "只说掩码遮住什么，没有提到来源"),
    worth(0.5, "A use for each", "各举一个用途"),
), model=(
    "In self-attention queries, keys and values are computed from the same sequence; an encoder reads a sentence that way. Masked self-attention has the same sources, but each token sees only itself and what is before it; a decoder writes that way. In cross-attention the queries come from one sequence and the keys and values from another, as when a translation consults the sentence to be translated.",
    "自注意力的查询、键、值都由同一序列算出，编码器这样阅读句子。带掩码的自注意力来源相同，但每个词元只看得见自己和之前的词元，解码器这样写出文本。交叉注意力的查询来自一个序列，键和值来自另一个序列，例如翻译时查阅原句。",
)))  # fmt: skip
def three_kinds(lab):
    """How do self-attention, masked self-attention and cross-attention differ, and where is each used?

    自注意力、带掩码的自注意力和交叉注意力有什么区别？各用在哪里？
    """
