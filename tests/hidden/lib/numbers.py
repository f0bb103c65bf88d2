"""What suites share whose functions take and return numbers."""

LETS_PASS = dict.fromkeys(
    (
        "float32_result", "no_gradient", "changes_input", "remembers_by_shape", "reuses_buffer", "made_on_cpu",
        "squeezed", "needs_contiguous", "long_rows_cut",
    ),
    "numbers only: there is no tensor",
)  # fmt: skip
