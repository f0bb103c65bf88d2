def split_heads(x, num_heads):
    batch, seq_len, d_model = x.size()
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    return x.view(batch, seq_len, num_heads, d_model // num_heads).transpose(1, 2)


def merge_heads(x):
    batch, num_heads, seq_len, d_k = x.size()
    return x.transpose(1, 2).contiguous().view(batch, seq_len, num_heads * d_k)
