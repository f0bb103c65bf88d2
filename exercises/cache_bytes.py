"""What inference costs: bytes in the cache, FLOPs, and which of them is the limit.

At inference a model keeps something of every token in every layer. With multi-head attention (MHA) it is a key and a
value for each head; grouped-query attention (GQA) has fewer heads of keys and values, multi-query attention (MQA) one.
Multi-head latent attention (MLA) keeps one short vector, from which the keys and values of all heads are made again,
and beside it the one rotated key part that all heads share.

What a step costs has two sides. FLOPs: a product of two numbers and its addition to a sum are 2. Bytes: what has to be
read and written. Their quotient, FLOPs a byte, is the intensity: an H200, for instance, can do some 200 FLOPs in
bfloat16 in the time in which it reads one byte. With less than that, memory bandwidth is the limit.

All are plain whole numbers; no tensor is needed. This file stands alone: import nothing from the other exercises.
"""


def kv_bytes(num_layers: int, num_kv_heads: int, head_dim: int, bytes_per_number: int = 2) -> int:
    """Count the bytes that one token leaves in the cache with MHA, GQA or MQA.

    Args:
        num_layers: layers, each with a cache of its own.
        num_kv_heads: heads of keys and values; as many as query heads in MHA, 1 in MQA.
        head_dim: channels of a key, and of a value.
        bytes_per_number: bytes of one number.

    Returns:
        A whole number, for all layers.

    Raises:
        ValueError: a number is below 1.

    Example, Llama 3 8B, and what it would be with as many heads of keys and values as of queries:
        kv_bytes(32, 8, 128) -> 131072
        kv_bytes(32, 32, 128) -> 524288
    """
    raise NotImplementedError


def mla_bytes(num_layers: int, latent_dim: int, rope_dim: int, bytes_per_number: int = 2) -> int:
    """Count the bytes that one token leaves in the cache with MLA.

    Args:
        num_layers: layers, each with a cache of its own.
        latent_dim: channels of the short vector; there is one a layer, for keys and values and all heads.
        rope_dim: channels of the rotated key part; there is one a layer, for all heads. It may be 0.
        bytes_per_number: bytes of one number.

    Returns:
        A whole number, for all layers.

    Raises:
        ValueError: rope_dim is below 0, or another number is below 1.

    Example, DeepSeek-V2:
        mla_bytes(60, 512, 64) -> 69120
    """
    raise NotImplementedError


def step_cost(
    q_len: int, kv_len: int, num_heads: int, num_kv_heads: int, head_dim: int, bytes_per_number: int = 2
) -> tuple[int, int]:
    """Count what the scores and the mixing of values cost in one layer.

    FLOPs: both products, of all queries with all keys (nothing is saved for hidden pairs), 2 for each channel. Scaling
    and softmax are not counted, nor are the projections.

    Bytes: queries, keys and values are read once, the output is written once. Scores are kept nowhere, and each head of
    keys and values is read once, however many query heads share it.

    Args:
        q_len: new tokens: 1 in decode, when a model writes; all of them in prefill, when it reads a prompt.
        kv_len: tokens in the cache, the new ones included.
        num_heads: query heads.
        num_kv_heads: heads of keys and values, of which num_heads is a multiple.
        head_dim: channels of a head.
        bytes_per_number: bytes of one number.

    Returns:
        (flops, bytes), whole numbers.

    Raises:
        ValueError: a number is below 1, kv_len is below q_len, or num_heads is not a multiple of num_kv_heads.

    Example, a thousand tokens in the cache, or a thousand read at once:
        step_cost(1, 1000, 32, 8, 128) -> (16384000, 4112384)
        step_cost(1000, 1000, 32, 8, 128) -> (16384000000, 20480000)
    """
    raise NotImplementedError


def overtaking_length(d_model: int, d_ff: int, num_heads: int, head_dim: int, mlp_matrices: int = 2) -> int:
    """Find the shortest length at which scores and mixing take more FLOPs for a token than the MLP.

    A token's query meets all n keys of the text, as in step_cost with q_len 1 and kv_len n. The MLP multiplies the
    token by `mlp_matrices` matrices of d_model x d_ff entries, 2 FLOPs for each entry.

    Args:
        d_model: channels of a token.
        d_ff: channels inside the MLP.
        num_heads: query heads.
        head_dim: channels of a head.
        mlp_matrices: matrices of the MLP: 2, or 3 in a gated one as of Llama.

    Returns:
        The smallest whole number n for which attention takes more, not as much.

    Raises:
        ValueError: a number is below 1.

    Example, GPT-3 and Llama 3 8B:
        overtaking_length(12288, 49152, 96, 128) -> 49153
        overtaking_length(4096, 14336, 32, 128, mlp_matrices=3) -> 21505
    """
    raise NotImplementedError
