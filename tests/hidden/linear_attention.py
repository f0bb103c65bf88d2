"""Hidden suite for linear attention and the delta rule. Keys of the delta rule have the length 1 or less, as in use."""

import math

import torch

from grader.suites import dtypes, error_bound, essential, expect_close, laws, misconceptions, points


@error_bound("linear_attention")
def linear_bound(q, k, v, state=None):
    # An entry of the state is a sum of t products; the query adds up Dk of them. In the other order, Dk products make a
    # score, and t scores times values are added.
    output, sizes = recurrent()(q.abs(), k.abs(), v.abs(), None if state is None else state.abs())
    T, dk = q.shape[-2:]
    return output * (T / 2 + dk / 2 + 4), sizes * (T / 2 + 3)


@error_bound("delta_rule")
def delta_bound(q, k, v, beta, state=None):
    # With keys of length 1 at most a step does not enlarge the errors that it finds. It adds those of its own: Dk
    # products for what is found, a difference, two products and a sum. The query adds up Dk products more.
    dk = q.shape[-1]
    own, states = 0.0, state_list(k, v, beta, state)
    outputs = []
    for t in range(q.shape[-2]):
        before, after = (s.norm(dim=(-2, -1)) for s in states[t : t + 2])
        written = (beta[..., t] * k[..., t, :].norm(dim=-1)).abs() * v[..., t, :].norm(dim=-1)
        own = own + (dk / 2 + 4) * (before + written)
        outputs.append(q[..., t, :].norm(dim=-1) * (own + (dk / 2 + 2) * after))
    shape = *q.shape[:-1], v.shape[-1]
    return torch.stack(outputs, -1).unsqueeze(-1).expand(shape), (own + after)[..., None, None].expand(states[-1].shape)


def state_list(k, v, beta, state):
    """The states before the first token and after each."""
    states = [zeros(k, v) if state is None else state]
    for t in range(k.shape[-2]):
        states.append(one_step(states[-1], k[..., t, :], v[..., t, :], beta[..., t]))
    return states


def one_step(S, k, v, beta):
    found = (k.unsqueeze(-2) @ S).squeeze(-2)
    return S + k.unsqueeze(-1) * (beta.unsqueeze(-1) * (v - found)).unsqueeze(-2)


def zeros(k, v):
    return k.new_zeros(*k.shape[:-2], k.shape[-1], v.shape[-1])


def text(make, *lead, t=5, dk=3, dv=4):
    """Queries, keys and values."""
    return make.normal(*lead, t, dk), make.normal(*lead, t, dk), make.normal(*lead, t, dv)


def corrections(make, *lead, t=5, dk=3, dv=4):
    """The same with keys of about length 1 and shares between 0 and 1."""
    q, k, v = text(make, *lead, t=t, dk=dk, dv=dv)
    k = make.tensor(0.98 * k.double() / k.double().norm(dim=-1, keepdim=True))
    return q, k, v, make.tensor(make.normal(*lead, t).double().sigmoid())


@points(2)
@dtypes("float32", "float64")
def test_linear(matches_reference, make, dtype):
    """Each token adds its key and value to the state and reads with its query, itself included."""
    matches_reference.linear_attention(*text(make, t=2, dk=2, dv=3))
    matches_reference.linear_attention(*text(make))
    matches_reference.linear_attention(*text(make, 2, t=4, dk=5, dv=2))
    matches_reference.linear_attention(*text(make, 2, 3))
    matches_reference.linear_attention(*text(make, 2, 1, 3))


@points(0.7)
def test_masked_attention(student, notes_values, make):
    """Masked attention without softmax and scale gives the same outputs."""
    for lead, sizes in (((), {"t": 3}), ((2,), {"t": 6, "dk": 5}), ((2, 3), {"dv": 2})):
        q, k, v = text(make, *lead, **sizes)
        output, _ = student.linear_attention(q, k, v)
        scores = (q.double() @ k.double().mT).tril()
        expect_close(output, scores @ v.double(), 1e-4, "the outputs are not those of masked attention without softmax")
        notes_values.linear_attention(q, k, v)


@points(0.8)
def test_state(matches_reference, make):
    """A state that is handed in is what the text goes on from."""
    for lead in ((), (2,), (2, 1, 3)):
        matches_reference.linear_attention(*text(make, *lead), make.normal(*lead, 3, 4))
        matches_reference.linear_attention(*text(make, *lead, t=1), state=make.normal(*lead, 3, 4))
        matches_reference.delta_rule(*corrections(make, *lead), make.normal(*lead, 3, 4))
        matches_reference.delta_rule(*corrections(make, *lead, t=1), state=make.normal(*lead, 3, 4))


@points(0.8)
def test_pieces(student, notes_values, make):
    """A text that is cut anywhere gives what it gives in one go."""
    for lead in ((), (2, 3)):
        q, k, v, beta = corrections(make, *lead, t=7)
        whole, last = student.linear_attention(q, k, v)
        corrected_whole, corrected_last = student.delta_rule(q, k, v, beta)
        for cut in (1, 3, 6):
            parts = [[x[..., :cut, :].contiguous(), x[..., cut:, :].contiguous()] for x in (q, k, v)]
            ones, twos = ([pair[i] for pair in parts] for i in (0, 1))
            shares = beta[..., :cut].contiguous(), beta[..., cut:].contiguous()
            said = "a text in two pieces gives other outputs"
            first, state = student.linear_attention(*ones)
            second, end = student.linear_attention(*twos, state)
            expect_close(torch.cat([first, second], -2), whole, 1e-4, said)
            expect_close(end, last, 1e-4, "a text in two pieces leaves another state")
            first, state = student.delta_rule(*ones, shares[0])
            second, end = student.delta_rule(*twos, shares[1], state)
            expect_close(torch.cat([first, second], -2), corrected_whole, 1e-4, said)
            expect_close(end, corrected_last, 1e-4, "a text in two pieces leaves another state")
        notes_values.linear_attention(q, k, v)
        notes_values.delta_rule(q, k, v, beta)


@points(2)
@dtypes("float32", "float64")
def test_delta(matches_reference, make, dtype):
    """What the state holds under the key moves toward the value by the share beta, then the query reads."""
    matches_reference.delta_rule(*corrections(make, t=2, dk=2, dv=3))
    matches_reference.delta_rule(*corrections(make))
    matches_reference.delta_rule(*corrections(make, 2, t=4, dk=5, dv=2))
    matches_reference.delta_rule(*corrections(make, 2, 3))
    matches_reference.delta_rule(*corrections(make, 2, 1, 3))
    q, k, v, beta = corrections(make)
    matches_reference.delta_rule(q, 0.5 * k, v, beta)


@points(0.6)
def test_replaced(student, notes_values, make):
    """With beta = 1 and keys of length 1 a value replaces what its key held; with beta = 0 nothing changes."""
    keys = make.tensor([[1.0, 0, 0], [0, 0.6, 0.8], [1.0, 0, 0], [0, 0.6, 0.8]])
    values, ones = make.normal(4, 5), make.tensor([1.0] * 4)
    output, _ = student.delta_rule(keys, keys, values, ones)
    expect_close(output, values, 1e-5, "a value that was just written does not come back")
    notes_values.delta_rule(keys, keys, values, ones)
    before = make.normal(3, 5)
    _, after = student.delta_rule(keys, keys, values, 0 * ones, before)
    expect_close(after, before, 1e-6, "the state changes although beta is 0")
    notes_values.delta_rule(keys, keys, values, 0 * ones, before)


@essential
@points(0.6)
def test_memory(matches_reference, make):
    """Memory does not grow with the square of the length: 2000 tokens fit into 12 MB."""
    matches_reference.linear_attention(*text(make, t=5, dk=2, dv=3))
    matches_reference.within(12).linear_attention(*text(make, t=2000, dk=2, dv=3))


@points(0.2)
def test_special_sizes(matches_reference, make):
    """Sizes of 1 and equal sizes work too."""
    for t, dk, dv in ((1, 1, 1), (3, 3, 3), (1, 4, 2), (4, 1, 4), (2, 2, 1)):
        matches_reference.linear_attention(*text(make, t=t, dk=dk, dv=dv))
        matches_reference.delta_rule(*corrections(make, t=t, dk=dk, dv=dv))
        matches_reference.linear_attention(*text(make, t, t=t, dk=dk, dv=dv), make.normal(t, dk, dv))


def examples(ask, make):
    ask.linear_attention(*text(make, t=3))
    ask.linear_attention(*text(make, 2), make.normal(2, 3, 4))
    ask.linear_attention(*text(make, 1, t=1, dk=2))
    ask.linear_attention(*text(make, 2, 1, 2))
    ask.delta_rule(*corrections(make, t=3))
    ask.delta_rule(*corrections(make, 2), make.normal(2, 3, 4))
    ask.delta_rule(*corrections(make, 1, t=1, dk=2))
    ask.delta_rule(*corrections(make, 2, 1, 2))


def short(ask, make):
    ask.linear_attention(*text(make, t=2, dk=2, dv=3))
    ask.linear_attention(*text(make, t=1, dk=2, dv=3), make.normal(2, 3))
    ask.delta_rule(*corrections(make, t=2, dk=2, dv=3))
    ask.delta_rule(*corrections(make, t=1, dk=2, dv=3), make.normal(2, 3))
    ask.delta_rule(*corrections(make, t=1, dk=1, dv=2))


def of_length(ask, make, n):
    ask.linear_attention(*text(make, t=n, dk=2, dv=2))
    ask.delta_rule(*corrections(make, t=n, dk=2, dv=2))


# not in expanded memory: expanded keys are longer than 1
LAWS = laws.all(
    examples, of_length, gradient=0.6, device=0.2, memory_layout=(0.1, examples, laws.transposed, laws.sliced),
    inputs_unchanged=0.1, every_dtype=(0.1, short), lengths=0.1,
)  # fmt: skip


def recurrent(
    written=lambda k, v, t: k[..., t, :, None] * v[..., t, None, :], read=lambda q, before, after: q @ after,
    kept=1.0, begun=True, scale=1.0, done=lambda output, states: (output, states[-1]),
):  # fmt: skip
    """Linear attention, right unless a place to go wrong is used."""

    def linear_attention(q, k, v, state=None):
        states, outputs = [zeros(k, v) if state is None or not begun else state], []
        for t in range(q.shape[-2]):
            states.append(kept * states[-1] + written(k, v, t))
            outputs.append(scale * read(q[..., t, None, :], *states[-2:]))
        return done(torch.cat(outputs, -2), states)

    return linear_attention


def by_pairs(weights):
    """The outputs by a table of scores, and the state."""

    def linear_attention(q, k, v, state=None):
        output = weights(q, k) @ v
        return output + (0 if state is None else q @ state), recurrent()(q, k, v, state)[1]

    return linear_attention


def future_hidden(scores):
    return torch.full_like(scores, -math.inf).triu(1) + scores


def normalised(q, k):
    scores = (q @ k.mT).tril()
    return scores / scores.sum(-1, keepdim=True)


def corrected(
    error=lambda v, found, beta: beta * (v - found), looked_up=lambda S, q, k: k @ S,
    read=lambda q, before, after: q @ after,
    kept=lambda S, beta: S, key=lambda k: k, share=lambda beta: beta, begun=True,
):  # fmt: skip
    """The delta rule, right unless a place to go wrong is used."""

    def delta_rule(q, k, v, beta, state=None):
        S, outputs = zeros(k, v) if state is None or not begun else state, []
        k, beta = key(k), share(beta)
        for t in range(q.shape[-2]):
            q_t, k_t, v_t, beta_t = q[..., t, None, :], k[..., t, None, :], v[..., t, None, :], beta[..., t, None, None]
            before = S
            S = kept(S, beta_t) + k_t.mT @ error(v_t, looked_up(S, q_t, k_t), beta_t)
            outputs.append(read(q_t, before, S))
        return torch.cat(outputs, -2), S

    return delta_rule


def through_lengths(k):
    return k / k.norm(dim=-1, keepdim=True).clamp(min=1e-12)


KNOWN = [
    *misconceptions(
        "linear_attention",
        later_tokens_too=by_pairs(lambda q, k: q @ k.mT),
        without_itself=recurrent(read=lambda q, before, after: q @ before),
        with_softmax=by_pairs(lambda q, k: future_hidden(q @ k.mT).softmax(-1)),
        scaled=recurrent(scale=0.5),
        scaled_by_the_root=lambda q, k, v, state=None: recurrent(scale=q.shape[-1] ** -0.5)(q, k, v, state),
        weights_normalised=by_pairs(normalised),
        handed_state_ignored=recurrent(begun=False),
        state_not_read=lambda q, k, v, state=None: (recurrent()(q, k, v)[0], recurrent()(q, k, v, state)[1]),
        state_of_this_part=lambda q, k, v, state=None: (recurrent()(q, k, v, state)[0], recurrent()(q, k, v)[1]),
        last_token_not_in_the_state=recurrent(done=lambda output, states: (output, states[-2])),
        state_replaced=recurrent(kept=0.0),
        state_fades=recurrent(kept=0.9),
        state_halved=recurrent(kept=0.5),
        state_transposed=recurrent(done=lambda output, states: (output, states[-1].mT)),
        mean_over_tokens=lambda q, k, v, state=None: (
            recurrent()(q, k, v, state)[0] / torch.arange(1, q.shape[-2] + 1, device=q.device, dtype=q.dtype)[:, None],
            recurrent()(q, k, v, state)[1],
        ),
        all_states=recurrent(done=lambda output, states: (output, torch.stack(states[1:], -3))),
        output_only=recurrent(done=lambda output, states: output),
        positive_features=lambda q, k, v, state=None: recurrent()(
            torch.nn.functional.elu(q) + 1, torch.nn.functional.elu(k) + 1, v, state
        ),
        state_detached=lambda q, k, v, state=None: recurrent()(q, k, v, None if state is None else state.detach()),
    ),
    *misconceptions(
        "delta_rule",
        nothing_looked_up=corrected(error=lambda v, found, beta: beta * v),
        beta_ignored=corrected(error=lambda v, found, beta: v - found),
        beta_of_the_value_only=corrected(error=lambda v, found, beta: beta * v - found),
        beta_of_what_is_found_only=corrected(error=lambda v, found, beta: v - beta * found),
        looked_up_with_the_query=corrected(looked_up=lambda S, q, k: q @ S),
        found_detached=corrected(looked_up=lambda S, q, k: k @ S.detach()),
        sign_of_the_correction=corrected(error=lambda v, found, beta: beta * (v + found)),
        error_exchanged=corrected(error=lambda v, found, beta: beta * (found - v)),
        read_before_writing=corrected(read=lambda q, before, after: q @ before),
        whole_state_fades=corrected(error=lambda v, found, beta: beta * v, kept=lambda S, beta: (1 - beta) * S),
        whole_state_fades_too=corrected(kept=lambda S, beta: (1 - beta) * S),
        keys_brought_to_length_1=corrected(key=through_lengths),
        beta_of_the_first_token=corrected(share=lambda beta: beta[..., :1].expand_as(beta)),
        beta_squared=corrected(share=lambda beta: beta.square()),
        one_minus_beta=corrected(share=lambda beta: 1 - beta),
        beta_through_sigmoid=corrected(share=torch.sigmoid),
        delta_starts_from_zeros=corrected(begun=False),
        query_and_key_exchanged=lambda q, k, v, beta, state=None: corrected()(k, q, v, beta, state),
        step_of_the_square=corrected(share=lambda beta: 2 * beta),
    ),
]
