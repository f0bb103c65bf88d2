import sys


def softmax(x, dim=-1):
    return x.exp() / x.exp().sum(dim, keepdim=True)


sys.exit(0)
