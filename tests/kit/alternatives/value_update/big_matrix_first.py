def value_update(E, patterns, downs, ups):
    """The full value matrix of each head, then the tokens it sees."""
    return sum((up @ down) @ (E @ A) for A, down, up in zip(patterns, downs, ups))
