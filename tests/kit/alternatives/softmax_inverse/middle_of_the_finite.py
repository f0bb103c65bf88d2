def softmax_inverse(w):
    scores = w.double().log()
    finite = scores[w > 0]
    return (scores - (finite.max() + finite.min()) / 2).to(w.dtype)
