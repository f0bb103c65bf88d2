"""The solutions agree with what others wrote and published: torch, transformers' Llama, and ONNX's own test cases."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from grader.suites.runner import load_solution

SOLUTIONS = Path(__file__).resolve().parents[3] / "solutions"
ours: dict[str, Callable[..., Any]] = {}
for path in sorted(SOLUTIONS.glob("*.py")):
    ours.update(load_solution(path))


def normal(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def close(actual: Tensor, expected: Tensor, error: float = 1e-12) -> None:
    assert actual.shape == expected.shape
    assert actual.dtype == expected.dtype
    assert float((actual.double() - expected.double()).abs().max()) <= error


# ---- torch


@pytest.mark.parametrize("dim", [0, 1, -1])
def test_softmax_is_torch_s(dim):
    x = normal(3, 5, 7) * 30
    close(ours["softmax"](x, dim), torch.softmax(x, dim))


@pytest.mark.parametrize("mask", [(5, 7), (2, 1, 5, 7), (2, 3, 1, 7), None])
def test_attention_is_torch_s(mask):
    q, k, v = normal(2, 3, 5, 8), normal(2, 3, 7, 8, seed=1), normal(2, 3, 7, 4, seed=2)
    seen = None if mask is None else (normal(*mask, seed=3) > 0) | (torch.arange(7) == 2)
    output, _ = ours["scaled_dot_product_attention"](q, k, v, mask=seen)
    close(output, F.scaled_dot_product_attention(q, k, v, attn_mask=seen))


def test_grouped_attention_is_torch_s():
    q, k, v = normal(2, 6, 5, 8), normal(2, 3, 7, 8, seed=1), normal(2, 3, 7, 4, seed=2)
    mask = ours["causal_mask"](5, kv_len=7)
    output, _ = ours["grouped_query_attention"](q, k, v, mask=mask)
    close(output, F.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True))


def test_the_square_causal_mask_is_torch_s():
    """torch aligns a causal mask at the top left, which is the same where there are as many keys as queries."""
    q, k, v = normal(2, 3, 6, 8), normal(2, 3, 6, 8, seed=1), normal(2, 3, 6, 4, seed=2)
    output, _ = ours["scaled_dot_product_attention"](q, k, v, mask=ours["causal_mask"](6))
    close(output, F.scaled_dot_product_attention(q, k, v, is_causal=True))


def test_the_causal_mask_with_cached_keys_is_torch_s():
    from torch.nn.attention.bias import causal_lower_right

    q, k, v = normal(2, 3, 4, 8), normal(2, 3, 6, 8, seed=1), normal(2, 3, 6, 4, seed=2)
    output, _ = ours["scaled_dot_product_attention"](q, k, v, mask=ours["causal_mask"](4, kv_len=6))
    close(output, F.scaled_dot_product_attention(q, k, v, attn_mask=causal_lower_right(4, 6)))


def test_heads_and_attention_make_torch_s_multi_head_attention():
    torch.manual_seed(4)
    theirs = torch.nn.MultiheadAttention(12, 3, bias=True, batch_first=True, dtype=torch.float64)
    x = normal(2, 5, 12)
    with torch.no_grad():
        expected, weights = theirs(x, x, x, attn_mask=~ours["causal_mask"](5), average_attn_weights=False)
        projected = F.linear(x, theirs.in_proj_weight, theirs.in_proj_bias).chunk(3, dim=-1)
        q, k, v = (ours["split_heads"](t, 3) for t in projected)
        output, seen = ours["scaled_dot_product_attention"](q, k, v, mask=ours["causal_mask"](5))
        close(theirs.out_proj(ours["merge_heads"](output)), expected)
        close(seen, weights)


# ---- transformers


@pytest.fixture(scope="module")
def llama() -> Any:
    """transformers' own Llama."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("transformers.models.llama.modeling_llama", reason="transformers is not installed")


@pytest.mark.slow
def test_rotate_half_is_llama_s(llama):
    x = normal(2, 3, 5, 8)
    close(ours["rotate_half"](x), llama.rotate_half(x))


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_rope_is_llama_s(llama, dtype):
    q, k = normal(2, 4, 5, 8).to(dtype), normal(2, 2, 5, 8, seed=1).to(dtype)
    cos, sin = ours["rope_cos_sin"](8, 9)
    expected = llama.apply_rotary_pos_emb(q, k, cos[None, 4:], sin[None, 4:])
    for mine, theirs in zip(ours["apply_rotary_pos_emb"](q, k, cos[4:], sin[4:]), expected, strict=True):
        close(mine, theirs, 1e-6)


@pytest.mark.slow
def test_rope_tables_are_llama_s(llama):
    from transformers.models.llama.configuration_llama import LlamaConfig

    config = LlamaConfig(hidden_size=64, num_attention_heads=4, head_dim=16, max_position_embeddings=40)
    cos, sin = llama.LlamaRotaryEmbedding(config)(torch.zeros(1, 40, 16), torch.arange(40)[None])
    mine = ours["rope_cos_sin"](16, 40)
    close(mine[0], cos[0], 1e-5)
    close(mine[1], sin[0], 1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("n_rep", [1, 2, 3])
def test_repeat_kv_is_llama_s(llama, n_rep):
    x = normal(2, 3, 5, 8)
    close(ours["repeat_kv"](x, n_rep), llama.repeat_kv(x, n_rep))


# ---- ONNX

NOT_COVERED: dict[str, Callable[[Any, Mapping[str, Tensor]], bool]] = {
    "the same case as a graph of other operators": lambda node, _: node is None,
    "another scale than 1 / sqrt(Dh)": lambda node, _: "scale" in node,
    "soft capping of scores": lambda node, _: "softcap" in node,
    "scores before softmax as a result": lambda node, given: (
        node.get("qk_matmul_output_mode", 0 if "scores" in given else 3) != 3
    ),
    "softmax in another precision than the input's": lambda node, _: "softmax_precision" in node,
    "a sliding window": lambda node, _: max(node.get("left_window_size", -1), node.get("right_window_size", -1)) >= 0,
    "keys padded to different lengths": lambda _, given: "nonpad_kv_seqlen" in given,
    "a mask of numbers that are added": lambda _, given: (
        "attn_mask" in given and given["attn_mask"].dtype != torch.bool
    ),
    "a row in which everything is hidden": lambda node, given: (
        "attn_mask" in given and not _every_row_sees(node, given)
    ),
    "interleaved pairs of channels": lambda node, _: bool(node.get("interleaved")),
    "a rotation of some channels only": lambda node, _: bool(node.get("rotary_embedding_dim")),
}


def _every_row_sees(node: Mapping[str, Any], given: Mapping[str, Tensor]) -> bool:
    mask = given["attn_mask"]
    if node.get("is_causal"):
        mask = mask & _causal(
            mask.shape[-2], mask.shape[-1], mask.shape[-1] - mask.shape[-2] if "past_key" in given else 0
        )
    return bool(mask.any(-1).all())


def _causal(q_len: int, kv_len: int, cached: int) -> Tensor:
    """ONNX lines queries up with the first keys after the cache; ours are the last ones."""
    return ours["causal_mask"](max(kv_len, q_len + cached))[cached : cached + q_len, :kv_len]


def run_softmax(node: Mapping[str, Any], given: Mapping[str, Tensor]) -> list[Tensor]:
    return [ours["softmax"](given["input"], dim=node.get("axis", -1))]


def run_attention(node: Mapping[str, Any], given: Mapping[str, Tensor]) -> list[Tensor]:
    """Output, and where asked for the keys and values with the cache, and the weights."""
    q, k, v = given["Q"], given["K"], given["V"]
    flat = q.dim() == 3
    if flat:
        q = ours["split_heads"](q, node["q_num_heads"])
        k, v = (ours["split_heads"](t, node["kv_num_heads"]) for t in (k, v))
    cached = given["past_key"].shape[2] if "past_key" in given else 0
    if cached:
        k, v = torch.cat([given["past_key"], k], 2), torch.cat([given["past_value"], v], 2)
    mask = given.get("attn_mask")
    if node.get("is_causal"):
        causal = _causal(q.shape[2], k.shape[2], cached)
        mask = causal if mask is None else mask & causal
    grouped = q.shape[1] != k.shape[1]
    attend = ours["grouped_query_attention" if grouped else "scaled_dot_product_attention"]
    output, weights = attend(q, k, v, mask=mask)
    return [ours["merge_heads"](output) if flat else output, k, v, weights]


def run_rotary(node: Mapping[str, Any], given: Mapping[str, Tensor]) -> list[Tensor]:
    """One example at a time: ours takes the same positions for the whole batch."""
    x, positions = given["input"], given.get("position_ids")
    flat = x.dim() == 3
    if flat:
        x = ours["split_heads"](x, node["num_heads"])
    rows = []
    for b, example in enumerate(x):
        halves = (given[n] if positions is None else given[n][positions] for n in ("cos_cache", "sin_cache"))
        cos, sin = (torch.cat([t[b], t[b]], -1) for t in halves)
        rows.append(ours["apply_rotary_pos_emb"](example[None], example[None], cos, sin)[0])
    turned = torch.cat(rows)
    return [ours["merge_heads"](turned) if flat else turned]


RUN = {"Softmax": run_softmax, "Attention": run_attention, "RotaryEmbedding": run_rotary}
PLACES = {"Y": 0, "present_key": 1, "present_value": 2, "qk_matmul_output": 3}


@pytest.fixture(scope="module")
def node_cases() -> list[Any]:
    """The cases of our three operators. Importing their modules makes them; collecting all of ONNX takes 8 s."""
    pytest.importorskip("onnx", reason="onnx is not installed")
    import onnx.backend.test.case.node as node
    import onnx.backend.test.case.node.attention
    import onnx.backend.test.case.node.rotaryembedding
    import onnx.backend.test.case.node.softmax  # noqa: F401 -- for what it registers

    return [c for c in node._NodeTestCases if c.name.split("_")[1] in ("softmax", "attention", "rotary")]


def tensor(array: Any) -> Tensor:
    return (
        torch.from_numpy(array.astype(np.float32)).bfloat16() if array.dtype.name == "bfloat16" else torch.tensor(array)
    )


def read(case: Any) -> tuple[dict[str, Any] | None, dict[str, Tensor], list[str]]:
    """Attributes of the node (None for a graph of several), the inputs by their names, the names of the outputs."""
    from onnx import helper

    node, *more = case.model.graph.node
    names = [n for n in node.input if n]
    given = dict(zip(names, map(tensor, case.data_sets[0][0]), strict=False))
    if more or node.op_type not in RUN:
        return None, given, []
    attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
    if node.op_type == "Softmax":
        given = {"input": given[names[0]]}
    outputs = [n for n in node.output if n]
    if "qk_matmul_output" in outputs:
        given["scores"] = torch.tensor(0)
    return {**attributes, "op": node.op_type}, given, outputs


def why_not(case: Any) -> str | None:
    node, given, _ = read(case)
    if node is None:
        return next(iter(NOT_COVERED))
    return next((reason for reason, applies in NOT_COVERED.items() if applies(node, given)), None)


def test_what_onnx_tests_of_attention_softmax_and_rope_holds(node_cases):
    covered = 0
    for case in node_cases:
        if why_not(case):
            continue
        node, given, outputs = read(case)
        found = RUN[node["op"]](node, given)
        expected = case.data_sets[0][1]
        for name, value in zip(outputs, expected, strict=True):
            theirs = tensor(value)
            mine = found[PLACES.get(name, 0)]
            error = {torch.float16: 4e-3, torch.bfloat16: 3e-2}.get(theirs.dtype, 2e-6)
            assert mine.dtype == theirs.dtype, case.name
            assert mine.shape == theirs.shape, case.name
            assert float((mine.double() - theirs.double()).abs().max()) <= error, (case.name, name)
        covered += 1
    assert covered >= 30


def test_every_case_that_is_left_out_has_a_reason_that_is_needed(node_cases):
    reasons = [why_not(case) for case in node_cases]
    assert set(reasons) - {None} == set(NOT_COVERED)


def test_a_softmax_of_attention_scores_is_attention_s_weights():
    q, k, v = normal(2, 3, 5, 8), normal(2, 3, 7, 8, seed=1), normal(2, 3, 7, 4, seed=2)
    _, weights = ours["scaled_dot_product_attention"](q, k, v)
    close(ours["softmax"](q @ k.mT / math.sqrt(8)), weights)
