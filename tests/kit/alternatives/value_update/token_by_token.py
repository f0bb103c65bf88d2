import torch


def value_update(E, patterns, downs, ups):
    columns = []
    for j in range(E.shape[1]):
        column = 0
        for A, down, up in zip(patterns, downs, ups):
            seen = sum(A[i, j] * E[:, i] for i in range(E.shape[1]))
            column = column + (up @ (down @ seen))
        columns.append(column)
    return torch.stack(columns, 1)
