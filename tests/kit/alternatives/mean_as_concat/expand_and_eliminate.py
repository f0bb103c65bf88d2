import torch


def _rank(rows):
    """Gaussian elimination with full pivoting."""
    rows, found = rows.detach().clone().double(), 0
    top = rows.abs().max()
    while rows.numel() and rows.abs().max() > 1e-5 * top:
        i, j = divmod(int(rows.abs().argmax()), rows.shape[1])
        pivot = rows[i] / rows[i, j]
        rows = torch.cat([rows[:i], rows[i + 1 :]])
        rows = rows - rows[:, j : j + 1] * pivot
        found += 1
    return found


def mean_as_concat(W, num_heads):
    Dh, D = W.shape
    blocks = W.mul(1.0 / num_heads).expand(num_heads, Dh, D)
    return blocks.reshape(num_heads * Dh, D), _rank(W)
