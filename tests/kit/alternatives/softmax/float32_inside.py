def softmax(x, dim=-1):
    y = x.float()
    y = y - y.max(dim=dim, keepdim=True)[0]
    y = y.exp()
    y = y / y.sum(dim=dim, keepdim=True)
    return y.to(x.dtype)
