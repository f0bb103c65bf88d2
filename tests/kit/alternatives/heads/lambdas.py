def _check(x, h):
    if x.shape[-1] % h:
        raise ValueError(h)
    return x


split_heads = lambda x, num_heads: _check(x, num_heads).unflatten(2, (num_heads, -1)).movedim(2, 1)
merge_heads = lambda x: x.movedim(1, 2).flatten(2, 3)
