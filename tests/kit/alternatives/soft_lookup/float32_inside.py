def soft_lookup(weights, values):
    return (weights.float() @ values.float()).type_as(values)
