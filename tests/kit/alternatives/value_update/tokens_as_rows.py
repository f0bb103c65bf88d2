import torch


class Update:
    """Turned round: tokens as rows, weights on the right."""

    def __call__(self, E, patterns, downs, ups):
        x = E.t()
        merged = torch.cat([A.t() @ (x @ down.t()) for A, down in zip(patterns, downs)], dim=-1)
        return (merged @ torch.cat([up.t() for up in ups])).t()


value_update = Update()
