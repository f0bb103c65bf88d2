"""Wrong files for norm_detective, each a whole submission as somebody might hand it in."""


# --- mean_zero_probe
import torch


def probes():
    return torch.tensor([[1.0, -1.0, 2.0, -2.0]])


def boxes(x):
    c = x - x.mean(-1, keepdim=True)
    return {
        "softmax": x.softmax(-1),
        "sigmoid": x.sigmoid(),
        "l2": x / x.norm(dim=-1, keepdim=True),
        "rmsnorm": x / x.square().mean(-1, keepdim=True).sqrt(),
        "layernorm": c / c.square().mean(-1, keepdim=True).sqrt(),
    }


def classify(outputs):
    due = boxes(probes().to(outputs))
    return min(due, key=lambda name: (due[name] - outputs).abs().max())


# --- all_equal_probe
import torch


def probes():
    return torch.ones(1, 4)


def boxes(x):
    c = x - x.mean(-1, keepdim=True)
    return {
        "softmax": x.softmax(-1),
        "sigmoid": x.sigmoid(),
        "l2": x / x.norm(dim=-1, keepdim=True),
        "rmsnorm": x / x.square().mean(-1, keepdim=True).sqrt(),
        "layernorm": c / c.square().mean(-1, keepdim=True).sqrt(),
    }


def classify(outputs):
    due = boxes(probes().to(outputs))
    return min(due, key=lambda name: (due[name] - outputs).abs().max())


# --- one_channel
import torch


def probes():
    return torch.tensor([[1.0], [2.0], [3.0]])


def boxes(x):
    c = x - x.mean(-1, keepdim=True)
    return {
        "softmax": x.softmax(-1),
        "sigmoid": x.sigmoid(),
        "l2": x / x.norm(dim=-1, keepdim=True),
        "rmsnorm": x / x.square().mean(-1, keepdim=True).sqrt(),
        "layernorm": c / c.square().mean(-1, keepdim=True).sqrt(),
    }


def classify(outputs):
    due = boxes(probes().to(outputs))
    return min(due, key=lambda name: (due[name] - outputs).abs().max())


# --- zeros
import torch


def probes():
    return torch.zeros(1, 4)


def boxes(x):
    c = x - x.mean(-1, keepdim=True)
    return {
        "softmax": x.softmax(-1),
        "sigmoid": x.sigmoid(),
        "l2": x / x.norm(dim=-1, keepdim=True),
        "rmsnorm": x / x.square().mean(-1, keepdim=True).sqrt(),
        "layernorm": c / c.square().mean(-1, keepdim=True).sqrt(),
    }


def classify(outputs):
    due = boxes(probes().to(outputs))
    return min(due, key=lambda name: (due[name] - outputs).abs().max())


# --- too_large
import torch


def probes():
    return torch.tensor([[1000.0, 1.0, -3.0]])


def boxes(x):
    c = x - x.mean(-1, keepdim=True)
    return {
        "softmax": x.softmax(-1),
        "sigmoid": x.sigmoid(),
        "l2": x / x.norm(dim=-1, keepdim=True),
        "rmsnorm": x / x.square().mean(-1, keepdim=True).sqrt(),
        "layernorm": c / c.square().mean(-1, keepdim=True).sqrt(),
    }


def classify(outputs):
    due = boxes(probes().to(outputs))
    return min(due, key=lambda name: (due[name] - outputs).abs().max())


# --- too_many_vectors
import torch


def probes():
    return torch.arange(16.0).reshape(4, 4)


def boxes(x):
    c = x - x.mean(-1, keepdim=True)
    return {
        "softmax": x.softmax(-1),
        "sigmoid": x.sigmoid(),
        "l2": x / x.norm(dim=-1, keepdim=True),
        "rmsnorm": x / x.square().mean(-1, keepdim=True).sqrt(),
        "layernorm": c / c.square().mean(-1, keepdim=True).sqrt(),
    }


def classify(outputs):
    due = boxes(probes().to(outputs))
    return min(due, key=lambda name: (due[name] - outputs).abs().max())


# --- too_many_channels
import torch


def probes():
    return torch.arange(32.0).reshape(1, 32) / 10


def boxes(x):
    c = x - x.mean(-1, keepdim=True)
    return {
        "softmax": x.softmax(-1),
        "sigmoid": x.sigmoid(),
        "l2": x / x.norm(dim=-1, keepdim=True),
        "rmsnorm": x / x.square().mean(-1, keepdim=True).sqrt(),
        "layernorm": c / c.square().mean(-1, keepdim=True).sqrt(),
    }


def classify(outputs):
    due = boxes(probes().to(outputs))
    return min(due, key=lambda name: (due[name] - outputs).abs().max())


# --- one_dimension
import torch


def probes():
    return torch.tensor([1.0, 2.0, 3.0])


def boxes(x):
    c = x - x.mean(-1, keepdim=True)
    return {
        "softmax": x.softmax(-1),
        "sigmoid": x.sigmoid(),
        "l2": x / x.norm(dim=-1, keepdim=True),
        "rmsnorm": x / x.square().mean(-1, keepdim=True).sqrt(),
        "layernorm": c / c.square().mean(-1, keepdim=True).sqrt(),
    }


def classify(outputs):
    due = boxes(probes().to(outputs))
    return min(due, key=lambda name: (due[name] - outputs).abs().max())


# --- list_probes
import torch


def probes():
    return [[1.0, 2.0, 3.0, 4.0]]


def boxes(x):
    c = x - x.mean(-1, keepdim=True)
    return {
        "softmax": x.softmax(-1),
        "sigmoid": x.sigmoid(),
        "l2": x / x.norm(dim=-1, keepdim=True),
        "rmsnorm": x / x.square().mean(-1, keepdim=True).sqrt(),
        "layernorm": c / c.square().mean(-1, keepdim=True).sqrt(),
    }


def classify(outputs):
    due = boxes(torch.tensor(probes()).to(outputs))
    return min(due, key=lambda name: (due[name] - outputs).abs().max())


# --- nan_probe
import torch


def probes():
    return torch.tensor([[1.0, 2.0, float('nan')]])


def boxes(x):
    c = x - x.mean(-1, keepdim=True)
    return {
        "softmax": x.softmax(-1),
        "sigmoid": x.sigmoid(),
        "l2": x / x.norm(dim=-1, keepdim=True),
        "rmsnorm": x / x.square().mean(-1, keepdim=True).sqrt(),
        "layernorm": c / c.square().mean(-1, keepdim=True).sqrt(),
    }


def classify(outputs):
    due = boxes(probes().to(outputs))
    return min(due, key=lambda name: (due[name] - outputs).abs().max())


# --- tiny_differences
import torch


def probes():
    return torch.tensor([[1.0, -0.999]])


def boxes(x):
    c = x - x.mean(-1, keepdim=True)
    return {
        "softmax": x.softmax(-1),
        "sigmoid": x.sigmoid(),
        "l2": x / x.norm(dim=-1, keepdim=True),
        "rmsnorm": x / x.square().mean(-1, keepdim=True).sqrt(),
        "layernorm": c / c.square().mean(-1, keepdim=True).sqrt(),
    }


def classify(outputs):
    due = boxes(probes().to(outputs))
    return min(due, key=lambda name: (due[name] - outputs).abs().max())


# --- only_first_row_sum
import torch


def probes():
    return torch.tensor([[3.0, 4.0]])


def classify(outputs):
    row = outputs[0]
    if abs(float(row.sum()) - 1) < 1e-3:
        return "softmax"
    if abs(float(row.sum())) < 1e-3:
        return "layernorm"
    if abs(float(row.norm()) - 1) < 1e-3:
        return "rmsnorm"
    if abs(float(row.pow(2).mean()) - 1) < 1e-3:
        return "l2"
    return "sigmoid"


# --- exact_equality
import torch


def probes():
    return torch.tensor([[1.0, 2.0, 3.0, 4.0], [10.0, 20.0, 30.0, 40.0]])


def classify(outputs):
    row = outputs[0]
    if row.sum() == 1 and (row > 0).all() and outputs[1].sum() == 1:
        return "softmax"
    if row.mean() == 0:
        return "layernorm"
    if (row ** 2).sum() == 1:
        return "l2"
    if (row ** 2).mean() == 1:
        return "rmsnorm"
    return "sigmoid"


# --- tolerance_too_small
import torch


def probes():
    return torch.tensor([[1.0, 2.0, 3.0, 4.0], [10.0, 20.0, 30.0, 40.0]])


def classify(outputs):
    row = outputs[0]
    if (row.sum() - 1).abs() < 1e-9 and (row > 0).all() and (outputs[1].sum() - 1).abs() < 1e-9:
        return "softmax"
    if row.mean().abs() < 1e-9:
        return "layernorm"
    if ((row ** 2).sum() - 1).abs() < 1e-9:
        return "l2"
    if ((row ** 2).mean() - 1).abs() < 1e-9:
        return "rmsnorm"
    return "sigmoid"


# --- tolerance_too_large
import torch


def probes():
    return torch.tensor([[1.0, 2.0, 3.0, 4.0], [10.0, 20.0, 30.0, 40.0]])


def classify(outputs):
    row = outputs[0]
    if (row.sum() - 1).abs() < 0.5 and (row > 0).all() and (outputs[1].sum() - 1).abs() < 0.5:
        return "softmax"
    if row.mean().abs() < 0.5:
        return "layernorm"
    if ((row ** 2).sum() - 1).abs() < 0.5:
        return "l2"
    if ((row ** 2).mean() - 1).abs() < 0.5:
        return "rmsnorm"
    return "sigmoid"


# --- tolerance_1e7
import torch


def probes():
    return torch.tensor([[1.0, 2.0, 3.0, 4.0], [10.0, 20.0, 30.0, 40.0]])


def classify(outputs):
    row = outputs[0]
    if (row.sum() - 1).abs() < 1e-7 and (row > 0).all() and (outputs[1].sum() - 1).abs() < 1e-7:
        return "softmax"
    if row.mean().abs() < 1e-7:
        return "layernorm"
    if ((row ** 2).sum() - 1).abs() < 1e-7:
        return "l2"
    if ((row ** 2).mean() - 1).abs() < 1e-7:
        return "rmsnorm"
    return "sigmoid"


# --- capital_names
import torch


def probes():
    return torch.tensor([[1.0, 2.0, 3.0, 4.0], [10.0, 20.0, 30.0, 40.0]])


def classify(outputs):
    row = outputs[0]
    if (row.sum() - 1).abs() < 1e-3 and (row > 0).all() and (outputs[1].sum() - 1).abs() < 1e-3:
        return "Softmax"
    if row.mean().abs() < 1e-3:
        return "LayerNorm"
    if ((row ** 2).sum() - 1).abs() < 1e-3:
        return "L2"
    if ((row ** 2).mean() - 1).abs() < 1e-3:
        return "RMSNorm"
    return "Sigmoid"


# --- rms_norm_named_otherwise
import torch


def probes():
    return torch.tensor([[1.0, 2.0, 3.0, 4.0], [10.0, 20.0, 30.0, 40.0]])


def classify(outputs):
    row = outputs[0]
    if (row.sum() - 1).abs() < 1e-3 and (row > 0).all() and (outputs[1].sum() - 1).abs() < 1e-3:
        return "softmax"
    if row.mean().abs() < 1e-3:
        return "layer_norm"
    if ((row ** 2).sum() - 1).abs() < 1e-3:
        return "l2"
    if ((row ** 2).mean() - 1).abs() < 1e-3:
        return "rms_norm"
    return "sigmoid"


# --- returns_none
import torch


def probes():
    return torch.tensor([[1.0, 2.0, 3.0, 4.0], [10.0, 20.0, 30.0, 40.0]])


def classify(outputs):
    row = outputs[0]
    if (row.sum() - 1).abs() < 1e-3 and (row > 0).all() and (outputs[1].sum() - 1).abs() < 1e-3:
        return "softmax"
    if row.mean().abs() < 1e-3:
        return "layernorm"
    if ((row ** 2).sum() - 1).abs() < 1e-3:
        return "l2"
    if ((row ** 2).mean() - 1).abs() < 1e-3:
        return "rmsnorm"
    if ((row > 0) & (row < 1)).all():
        return None


# --- swapped_l2_rms
import torch


def probes():
    return torch.tensor([[1.0, 2.0, 3.0, 4.0], [10.0, 20.0, 30.0, 40.0]])


def classify(outputs):
    row = outputs[0]
    if (row.sum() - 1).abs() < 1e-3 and (row > 0).all() and (outputs[1].sum() - 1).abs() < 1e-3:
        return "softmax"
    if row.mean().abs() < 1e-3:
        return "layernorm"
    if ((row ** 2).sum() - 1).abs() < 1e-3:
        return "rmsnorm"
    if ((row ** 2).mean() - 1).abs() < 1e-3:
        return "l2"
    return "sigmoid"


# --- swapped_rms_layer
import torch


def probes():
    return torch.tensor([[1.0, 2.0, 3.0, 4.0], [10.0, 20.0, 30.0, 40.0]])


def classify(outputs):
    row = outputs[0]
    if (row.sum() - 1).abs() < 1e-3 and (row > 0).all() and (outputs[1].sum() - 1).abs() < 1e-3:
        return "softmax"
    if row.mean().abs() < 1e-3:
        return "rmsnorm"
    if ((row ** 2).sum() - 1).abs() < 1e-3:
        return "l2"
    if ((row ** 2).mean() - 1).abs() < 1e-3:
        return "layernorm"
    return "sigmoid"


# --- always_softmax
import torch


def probes():
    return torch.tensor([[1.0, 2.0, 3.0, 4.0], [10.0, 20.0, 30.0, 40.0]])


def classify(outputs):
    return "softmax"


# --- sigmoid_before_softmax
import torch


def probes():
    return torch.tensor([[1.0, 2.0, 3.0, 4.0], [10.0, 20.0, 30.0, 40.0]])


def classify(outputs):
    row = outputs[0]
    if ((outputs > 0) & (outputs < 1)).all():
        return "sigmoid"
    if (row.sum() - 1).abs() < 1e-3:
        return "softmax"
    if row.mean().abs() < 1e-3:
        return "layernorm"
    if (row.norm() - 1).abs() < 1e-3:
        return "l2"
    return "rmsnorm"


# --- layernorm_unbiased
import torch


def probes():
    return torch.tensor([[1.0, 2.0, 3.0, 5.0]])


def boxes(x):
    c = x - x.mean(-1, keepdim=True)
    return {
        "softmax": x.softmax(-1),
        "sigmoid": x.sigmoid(),
        "l2": x / x.norm(dim=-1, keepdim=True),
        "rmsnorm": x / x.square().mean(-1, keepdim=True).sqrt(),
        "layernorm": c / x.std(-1, keepdim=True),
    }


def classify(outputs):
    due = boxes(probes().to(outputs))
    for name, y in due.items():
        if torch.allclose(y, outputs, atol=1e-3):
            return name


# --- allclose_default
import torch


def probes():
    return torch.tensor([[1.0, 2.0, 3.0, 5.0]])


def boxes(x):
    c = x - x.mean(-1, keepdim=True)
    return {
        "softmax": x.softmax(-1),
        "sigmoid": x.sigmoid(),
        "l2": x / x.norm(dim=-1, keepdim=True),
        "rmsnorm": x / x.square().mean(-1, keepdim=True).sqrt(),
        "layernorm": c / c.square().mean(-1, keepdim=True).sqrt(),
    }


def classify(outputs):
    due = boxes(probes().to(outputs))
    for name, y in due.items():
        if torch.allclose(y, outputs, rtol=0, atol=1e-8):
            return name
    return "sigmoid"


# --- torch_equal
import torch


def probes():
    return torch.tensor([[1.0, 2.0, 3.0, 5.0]])


def boxes(x):
    c = x - x.mean(-1, keepdim=True)
    return {
        "softmax": x.softmax(-1),
        "sigmoid": x.sigmoid(),
        "l2": x / x.norm(dim=-1, keepdim=True),
        "rmsnorm": x / x.square().mean(-1, keepdim=True).sqrt(),
        "layernorm": c / c.square().mean(-1, keepdim=True).sqrt(),
    }


def classify(outputs):
    due = boxes(probes().to(outputs))
    for name, y in due.items():
        if torch.equal(y, outputs):
            return name


# --- l2_not_rows
import torch


def probes():
    return torch.tensor([[1.0, 2.0, 3.0, 5.0], [2.0, 0.0, 1.0, 1.0]])


def boxes(x):
    c = x - x.mean(-1, keepdim=True)
    return {
        "softmax": x.softmax(-1),
        "sigmoid": x.sigmoid(),
        "l2": x / x.norm(),
        "rmsnorm": x / x.square().mean(-1, keepdim=True).sqrt(),
        "layernorm": c / c.square().mean(-1, keepdim=True).sqrt(),
    }


def classify(outputs):
    due = boxes(probes().to(outputs))
    for name, y in due.items():
        if torch.allclose(y, outputs, atol=1e-3):
            return name
    return 'sigmoid'


# --- small_values_eps_matters
import torch


def probes():
    return torch.tensor([[0.001, 0.002, 0.003]])


def boxes(x):
    c = x - x.mean(-1, keepdim=True)
    return {
        "softmax": x.softmax(-1),
        "sigmoid": x.sigmoid(),
        "l2": x / x.norm(dim=-1, keepdim=True),
        "rmsnorm": x / x.square().mean(-1, keepdim=True).sqrt(),
        "layernorm": c / c.square().mean(-1, keepdim=True).sqrt(),
    }


def classify(outputs):
    due = boxes(probes().to(outputs))
    return min(due, key=lambda name: (due[name] - outputs).abs().max())


# --- changes_outputs
import torch


def probes():
    return torch.tensor([[1.0, 2.0, 3.0, 4.0], [10.0, 20.0, 30.0, 40.0]])


def classify(outputs):
    outputs -= 0.0
    outputs.mul_(2.0).div_(2.0).add_(1e-3)
    row = outputs[0]
    if (row.sum() - 1).abs() < 1e-3 and (row > 0).all() and (outputs[1].sum() - 1).abs() < 1e-3:
        return "softmax"
    if row.mean().abs() < 1e-3:
        return "layernorm"
    if ((row ** 2).sum() - 1).abs() < 1e-3:
        return "l2"
    if ((row ** 2).mean() - 1).abs() < 1e-3:
        return "rmsnorm"
    return "sigmoid"


# --- sorts_outputs_in_place
import torch


def probes():
    return torch.tensor([[4.0, 2.0, 3.0, 1.0], [1.0, 5.0, 2.0, 2.5]])


def boxes(x):
    c = x - x.mean(-1, keepdim=True)
    return {
        "softmax": x.softmax(-1),
        "sigmoid": x.sigmoid(),
        "l2": x / x.norm(dim=-1, keepdim=True),
        "rmsnorm": x / x.square().mean(-1, keepdim=True).sqrt(),
        "layernorm": c / c.square().mean(-1, keepdim=True).sqrt(),
    }


def classify(outputs):
    outputs.clamp_(-3, 3).round_(decimals=1)
    due = boxes(probes().to(outputs))
    return min(due, key=lambda name: (due[name] - outputs).abs().max())


# --- remembers_answer
import torch


def probes():
    return torch.tensor([[1.0, 2.0, 3.0, 4.0], [10.0, 20.0, 30.0, 40.0]])


_answer = []


def classify(outputs):
    if not _answer:
        _answer.append(find(outputs))
    return _answer[0]


def find(outputs):
    row = outputs[0]
    if (row.sum() - 1).abs() < 1e-3 and (row > 0).all() and (outputs[1].sum() - 1).abs() < 1e-3:
        return "softmax"
    if row.mean().abs() < 1e-3:
        return "layernorm"
    if ((row ** 2).sum() - 1).abs() < 1e-3:
        return "l2"
    if ((row ** 2).mean() - 1).abs() < 1e-3:
        return "rmsnorm"
    return "sigmoid"


# --- range_of_values
import torch


def probes():
    return torch.tensor([[-2.0, 0.5, 3.0]])


def classify(outputs):
    if (outputs < 0).any():
        return "layernorm" if outputs.mean().abs() < 0.01 else "rmsnorm"
    if (outputs.sum(-1) - 1).abs().max() < 0.01:
        return "softmax"
    return "sigmoid"


# --- argument_renamed
import torch


def probes():
    return torch.tensor([[1.0, 2.0, 3.0, 4.0], [10.0, 20.0, 30.0, 40.0]])


def classify(y):
    row = y[0]
    if (row.sum() - 1).abs() < 1e-3 and (row > 0).all() and (y[1].sum() - 1).abs() < 1e-3:
        return "softmax"
    if row.mean().abs() < 1e-3:
        return "layernorm"
    if ((row ** 2).sum() - 1).abs() < 1e-3:
        return "l2"
    if ((row ** 2).mean() - 1).abs() < 1e-3:
        return "rmsnorm"
    return "sigmoid"


# --- returns_index
import torch


def probes():
    return torch.tensor([[1.0, 2.0, 3.0, 5.0]])


def boxes(x):
    c = x - x.mean(-1, keepdim=True)
    return {
        "softmax": x.softmax(-1),
        "sigmoid": x.sigmoid(),
        "l2": x / x.norm(dim=-1, keepdim=True),
        "rmsnorm": x / x.square().mean(-1, keepdim=True).sqrt(),
        "layernorm": c / c.square().mean(-1, keepdim=True).sqrt(),
    }


def classify(outputs):
    due = boxes(probes().to(outputs))
    return min(range(5), key=lambda i: (list(due.values())[i] - outputs).abs().max())


# --- sum_probe_ambiguous
import torch


def probes():
    return torch.tensor([[0.0, 0.0]])


def classify(outputs):
    row = outputs[0]
    if (row.sum() - 1).abs() < 1e-3 and (row > 0).all():
        return "softmax"
    if row.mean().abs() < 1e-3:
        return "layernorm"
    if ((row ** 2).sum() - 1).abs() < 1e-3:
        return "l2"
    if ((row ** 2).mean() - 1).abs() < 1e-3:
        return "rmsnorm"
    return "sigmoid"


# --- no_absolute_value
import torch


def probes():
    return torch.tensor([[1.0, 2.0, 4.0]])
def classify(outputs):
    y = outputs[0]
    if y.sum() - 1 < 1e-3: return "softmax"
    if y.mean() < 1e-3: return "layernorm"
    if (y ** 2).sum() - 1 < 1e-3: return "l2"
    if (y ** 2).mean() - 1 < 1e-3: return "rmsnorm"
    return "sigmoid"


# --- entries_above_a_hundred
import torch


def probes():
    return torch.tensor([[1.0, 200.0, 400.0]])
def classify(outputs):
    y = outputs[0]
    if abs(y.sum() - 1) < 1e-3: return "softmax"
    if abs(y.mean()) < 1e-3: return "layernorm"
    if abs((y ** 2).sum() - 1) < 1e-3: return "l2"
    if abs((y ** 2).mean() - 1) < 1e-3: return "rmsnorm"
    return "sigmoid"


# --- one_entry
import torch


def probes():
    return torch.tensor([[3.0]])
def classify(outputs):
    y = outputs[0, 0]
    if y == 1: return "softmax"
    if y == 0: return "layernorm"
    return "sigmoid"


# --- all_rows_together
import torch


def probes():
    return torch.tensor([[1.0, 2.0, 4.0], [0.0, 1.0, 5.0]])
def classify(outputs):
    y = outputs
    if abs(y.sum() - 1) < 1e-3: return "softmax"
    if abs(y.mean()) < 1e-3: return "layernorm"
    if abs((y ** 2).sum() - 1) < 1e-3: return "l2"
    if abs((y ** 2).mean() - 1) < 1e-3: return "rmsnorm"
    return "sigmoid"


# --- probe_with_the_mean_0_rmsnorm_and_layernorm
import torch


def probes():
    return torch.tensor([[3.0, -1.0, -2.0, 0.0]])


def classify(outputs):
    x = probes().to(outputs.dtype)
    centred = x - x.mean(-1, keepdim=True)
    made = {
        "softmax": x.softmax(-1),
        "sigmoid": x.sigmoid(),
        "l2": x / x.norm(dim=-1, keepdim=True),
        "rmsnorm": x / x.pow(2).mean(-1, keepdim=True).sqrt(),
        "layernorm": centred / centred.pow(2).mean(-1, keepdim=True).sqrt(),
    }
    best, name = None, ""
    for candidate, y in made.items():
        miss = (y - outputs).abs().max().item()
        if best is None or miss < best - 1e-6:
            best, name = miss, candidate
    return name


# --- softmax_is_recognised_by_an_exact_sum_of_1
import torch


def probes():
    return torch.tensor([[0.3, 1.7, -0.9, 2.2, 5.1], [1.0, 2.0, 3.0, 4.0, 7.0]])


def classify(outputs):
    s = outputs.sum(-1)
    if bool((s == 1).all()):
        return "softmax"
    if bool((s.abs() < 1e-4).all()):
        return "layernorm"
    length = outputs.pow(2).sum(-1)
    if bool(((length - 1).abs() < 1e-3).all()):
        return "l2"
    if bool(((length - outputs.shape[-1]).abs() < 1e-2).all()):
        return "rmsnorm"
    return "sigmoid"
