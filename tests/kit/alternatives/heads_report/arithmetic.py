def heads_report(embed_dim):
    report = {}
    for h in range(1, embed_dim + 1):
        if embed_dim % h:
            report[h] = None
            continue
        report[h] = dict(
            head_dim=embed_dim // h,
            parameters=3 * (embed_dim * embed_dim + embed_dim) + embed_dim * embed_dim + embed_dim,
            output=(2, 5, embed_dim),
            weights=(2, 5, 5),
            per_head=(2, h, 5, 5),
        )
    return report
