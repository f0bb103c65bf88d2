def lab1(x):
    small = x / x.shape[1] ** 0.25
    weights = (small @ small.T).softmax(-1)
    return x @ x.T, weights, weights @ x
