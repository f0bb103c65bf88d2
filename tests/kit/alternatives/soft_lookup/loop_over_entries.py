import torch


def soft_lookup(weights, values):
    """Add one entry after another, in the dtype of the inputs."""
    answer = torch.zeros(*weights.shape[:-1], values.shape[1], dtype=values.dtype, device=values.device)
    for j in range(values.shape[0]):
        answer = answer + weights[..., j : j + 1] * values[j]
    return answer
