from typing import NamedTuple


class Sizes(NamedTuple):
    B: int
    T: int
    d: int
    h: int
    kv: int

    @property
    def c(self):
        return self.d // self.h

    def whole(self, heads):
        return self.B, self.T, heads * self.c

    def heads(self, heads, last=None):
        return self.B, heads, self.T, self.c if last is None else last


def trace(B, T, d, h, h_kv=None):
    s = Sizes(B, T, d, h, h if h_kv is None else h_kv)
    if s.d % s.h != 0 or s.h % s.kv != 0:
        raise ValueError(s)
    return dict(
        output=s.whole(h), merged=s.whole(h), heads=s.heads(h), weights=s.heads(h, T), scores=s.heads(h, T),
        v_repeated=s.heads(h), k_repeated=s.heads(h), v_heads=s.heads(s.kv), k_heads=s.heads(s.kv),
        q_heads=s.heads(h), v=s.whole(s.kv), k=s.whole(s.kv), q=s.whole(h), x=s.whole(h),
    )
