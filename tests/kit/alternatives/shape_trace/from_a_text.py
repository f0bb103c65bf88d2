STEPS = """
x B,T,d
q B,T,d
k B,T,w
v B,T,w
q_heads B,h,T,c
k_heads B,g,T,c
v_heads B,g,T,c
k_repeated B,h,T,c
v_repeated B,h,T,c
scores B,h,T,T
weights B,h,T,T
heads B,h,T,c
merged B,T,d
output B,T,d
"""


def trace(B, T, d, h, h_kv=None):
    g = h if h_kv is None else h_kv
    c, left = divmod(d, h)
    if left or h % g:
        raise ValueError("no whole heads")
    sizes = {"B": B, "T": T, "d": d, "h": h, "g": g, "c": c, "w": g * c}
    rows = (line.split() for line in STEPS.split("\n") if line)
    return {name: tuple(sizes[s] for s in shape.split(",")) for name, shape in rows}
