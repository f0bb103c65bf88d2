import math


def softmax_inverse(w):
    return w.log2() * math.log(2)
