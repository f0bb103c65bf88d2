import torch


def trace(B, T, d, h, h_kv=None):
    """Run the real thing on the meta device."""
    h_kv = h if h_kv is None else h_kv
    if d % h != 0 or h % h_kv != 0:
        raise ValueError("heads do not divide")
    dh = d // h
    new = lambda *s: torch.empty(*s, device="meta")
    s = {"x": new(B, T, d)}
    s["q"], s["k"], s["v"] = (torch.nn.functional.linear(s["x"], new(n * dh, d)) for n in (h, h_kv, h_kv))
    for name in "qkv":
        s[name + "_heads"] = s[name].view(B, T, -1, dh).transpose(1, 2)
    for name in "kv":
        s[name + "_repeated"] = s[name + "_heads"][:, :, None].expand(-1, -1, h // h_kv, -1, -1).reshape(B, h, T, dh)
    s["scores"] = s["q_heads"] @ s["k_repeated"].transpose(2, 3) / dh**0.5
    s["weights"] = s["scores"].softmax(-1)
    s["heads"] = s["weights"] @ s["v_repeated"]
    s["merged"] = s["heads"].transpose(1, 2).reshape(B, T, d)
    s["output"] = torch.nn.functional.linear(s["merged"], new(d, d))
    return {name: t.shape for name, t in s.items()}
