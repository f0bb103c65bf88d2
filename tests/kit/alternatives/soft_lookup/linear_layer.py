import torch.nn.functional as F


class Lookup:
    def __call__(self, weights, values):
        return F.linear(weights, values.transpose(0, 1))


soft_lookup = Lookup()
