def soft_lookup(weights, values):
    return (weights[..., :, None] * values).sum(dim=-2)
