"""Computes in float64, which holds every entry exactly."""


class HeadError(ValueError):
    pass


class Split:
    def __call__(self, x, num_heads):
        if x.shape[-1] / num_heads != x.shape[-1] // num_heads:
            raise HeadError("the heads would differ in size")
        y = x.double().reshape(x.shape[0], x.shape[1], num_heads, -1)
        return y.transpose(2, 1).type_as(x)


class Merge:
    def __call__(self, x):
        return x.double().transpose(2, 1).reshape(x.shape[0], x.shape[2], -1).type_as(x)


split_heads, merge_heads = Split(), Merge()
