def attention_scores(q, k):
    return (q[..., :, None, :] * k[..., None, :, :]).sum(-1)
