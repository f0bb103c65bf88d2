from functools import reduce
import operator


def soft_lookup(weights, values):
    parts = map(lambda pair: pair[0].unsqueeze(-1) * pair[1], zip(weights.unbind(-1), values.unbind(0)))
    return reduce(operator.add, parts)
