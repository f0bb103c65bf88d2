"""The small language model of unit L, right unless a place to go wrong is used."""

import torch
from hidden.lib import heads, minimind
from torch import nn
from torch.nn.functional import cross_entropy, silu

NAMES = ("q_proj", "k_proj", "v_proj", "o_proj")
PARTS = ("gate_proj", "up_proj", "down_proj")


def widths(vocab, C, layers, H, H_kv):
    """The names and shapes of all weights."""
    kv = C // H * H_kv
    yield "embed.weight", (vocab, C)
    for i in range(layers):
        for name, rows in zip(NAMES, (C, kv, kv, C), strict=True):
            yield f"layers.{i}.attention.{name}.weight", (rows, C)
        for name, shape in zip(PARTS, ((2 * C, C), (2 * C, C), (C, 2 * C)), strict=True):
            yield f"layers.{i}.{name}.weight", shape
        for name in ("attention_norm", "mlp_norm"):
            yield f"layers.{i}.{name}.weight", (C,)
    yield "norm.weight", (C,)


def rms(x, weight):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6) * weight


def gated(layer, h):
    return layer.down_proj(silu(layer.gate_proj(h)) * layer.up_proj(h))


def pre_norm(layer, x, attend, mlp, norm):
    """One layer: `attend(h)`, `mlp(layer, h)` and `norm(x, weight)` are its parts."""
    x = x + attend(norm(x, layer.attention_norm.weight))
    return x + mlp(layer, norm(x, layer.mlp_norm.weight))


def appended(model, i, cache, T, continued):
    return cache


class Norm(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))


class Layer(nn.Module):
    def __init__(self, C, kv, bias=False):
        super().__init__()
        self.attention = nn.Module()
        for name, rows in zip(NAMES, (C, kv, kv, C), strict=True):
            self.attention.add_module(name, nn.Linear(C, rows, bias=bias))
        self.gate_proj, self.up_proj = (nn.Linear(C, 2 * C, bias=bias) for _ in range(2))
        self.down_proj = nn.Linear(2 * C, C, bias=bias)
        self.attention_norm, self.mlp_norm = Norm(C), Norm(C)


class TinyLM(nn.Module):
    """What the exercise tiny_lm asks for; errors name its class. `places`: some of PLACES, and faults of attention."""

    def __init__(self, vocab, hidden_size, num_layers, num_heads, num_kv_heads, theta=1e4, **places):
        super().__init__()
        p = self.places = PLACES | {k: v for k, v in places.items() if k in PLACES}
        self.faults = {k: v for k, v in places.items() if k not in PLACES}
        if p["checked"] and (hidden_size % num_heads or num_heads % num_kv_heads):
            raise ValueError("uneven")
        self.sizes = (num_heads, num_kv_heads, theta)
        self.embed = nn.Embedding(vocab, hidden_size)
        kv = p["kv_width"] or hidden_size // num_heads * num_kv_heads
        self.layers = nn.ModuleList(Layer(hidden_size, kv, p["bias"]) for _ in range(num_layers))
        self.norm = Norm(hidden_size)
        if p["head"]:
            self.head = nn.Linear(hidden_size, vocab, bias=False)
        for weight in self.parameters():
            if weight.dim() == 2 and p["begins"]:
                nn.init.normal_(weight, std=p["begins"])
        self.caches = [None] * num_layers

    def forward(self, tokens, continued=False):
        p = self.places
        if p["drops"](continued):
            self.caches = [None] * len(self.layers)
        x = p["embedded"](self.embed(tokens))
        for i, layer in enumerate(self.layers):
            x = p["layer"](layer, x, self._attention(i, layer, continued), p["mlp"], p["norm"])
        h = p["last_norm"](x, self.norm.weight)
        return p["result"](h @ (self.head if p["head"] else self.embed).weight.T)

    def _attention(self, i, layer, continued):
        def attend(h):
            at, W = self.places["place"](i), heads.matrices(layer.attention, NAMES)[0]
            y, cache = minimind.block(h, W, *self.sizes, self.caches[at], **self.faults)
            self.caches[at] = self.places["kept"](self, at, cache, h.shape[1], continued)
            return y

        return attend

    def size(self):
        return self.places["size"](self)

    def loss(self, tokens):
        return self.places["loss"](self, tokens)

    def fit(self, batches, rate):
        return self.places["fit"](self, batches, rate)

    @torch.no_grad()
    def generate(self, prompt, n, use_cache=True):
        return self.places["generate"](self, prompt, n, use_cache)


def size(model):
    return sum(w.numel() for w in model.parameters())


def next_token(model, tokens):
    return cross_entropy(model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())


def fit(
    model, batches, rate, *, betas=(0.9, 0.999), corrected=True, sign=1.0, gradient=lambda g, m: g, after=False,
    anew=False, goes_on=False, result=torch.stack, batch=lambda batches, i: batches[i], update=None, decay=0.0,
):  # fmt: skip
    """Adam, with places to go wrong."""
    weights = [w for w in model.parameters() if w.requires_grad]
    kept, losses = vars(model).setdefault("of_adam", {}) if goes_on else {}, []
    for i in range(len(batches)):
        kept["steps"] = 1 if anew else kept.get("steps", 0) + 1
        tokens, step = batch(batches, i), kept["steps"]
        loss = model.loss(tokens)
        losses.append(loss.detach())
        if not loss.requires_grad:
            continue
        found = torch.autograd.grad(loss, weights, allow_unused=True)
        for number, (w, g) in enumerate(zip(weights, found, strict=True)):
            if g is None:
                continue
            m, s, total = (torch.zeros_like(w),) * 3 if number not in kept else kept[number]
            total = gradient(g, total)
            m, s = ((0 if anew else b) * a + (1 - b) * x for a, x, b in ((m, total, betas[0]), (s, total**2, betas[1])))
            kept[number] = m, s, total
            known = [1 - b**step if corrected else 1.0 for b in betas]
            change = update(total) if update else (m / known[0]) / ((s / known[1]).sqrt() + 1e-8)
            w.data -= sign * rate * (change + decay * w.data)
        if after:
            losses[-1] = model.loss(tokens).detach()
    return result(losses)


def generate(
    model, prompt, n, use_cache, *, chosen=lambda logits: logits[:, -1].argmax(-1, keepdim=True),
    fed=lambda text, new: new, again=lambda text: text, cached=lambda use_cache: use_cache,
    result=lambda text, T: text[:, T:], size=lambda model, T, n: sum(t.numel() * t.element_size() for t in kept(model)),
    first=lambda prompt: prompt, all_fed=False, counted=lambda use_cache: use_cache, continues=True, begun=False,
):  # fmt: skip
    """Greedy writing, with places to go wrong."""
    text, logits = prompt, model(first(prompt), begun)
    for number in range(1, n + 1):
        new = chosen(logits)
        text = torch.cat([text, new], 1)
        if number < n or all_fed:
            logits = model(fed(text, new), continues) if cached(use_cache) else model(again(text))
    return result(text, prompt.shape[1]), size(model, prompt.shape[1], n) if counted(use_cache) else 0


def kept(model):
    return [t for cache in model.caches if cache for t in cache]


PLACES = {
    "checked": True, "kv_width": None, "bias": False, "head": False, "begins": 0.02,
    "drops": lambda continued: not continued, "kept": appended, "place": lambda i: i, "embedded": lambda x: x,
    "layer": pre_norm, "mlp": gated, "norm": rms, "last_norm": rms, "result": lambda logits: logits,
    "size": size, "loss": next_token, "fit": fit, "generate": generate,
}  # fmt: skip
"""What can be another way: of the parameters, of the cache, of a layer, of what comes out and of the methods."""
