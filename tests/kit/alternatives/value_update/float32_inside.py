import torch


def value_update(E, patterns, downs, ups):
    dtype = E.dtype
    E = E.float()
    values = torch.stack([d.float() for d in downs]) @ E
    mixed = torch.bmm(values, torch.stack([p.float() for p in patterns]))
    changes = torch.bmm(torch.stack([u.float() for u in ups]), mixed)
    return changes.sum(dim=0).to(dtype)
