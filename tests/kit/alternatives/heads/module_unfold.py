from torch import nn


class Splitter(nn.Module):
    def forward(self, x, num_heads):
        D = x.shape[-1]
        if num_heads > D or D % num_heads:
            raise ValueError("heads do not fit")
        step = D // num_heads
        return x.unfold(-1, step, step).transpose(-2, -3)


_splitter = Splitter()


def split_heads(x, num_heads):
    return _splitter(x, num_heads)


def merge_heads(x):
    return x.transpose(-2, -3).flatten(-2)
