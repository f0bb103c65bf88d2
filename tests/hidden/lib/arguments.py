"""Functions whose arguments are changed first, as in mistakes that any function of tensors can have."""

import torch


def with_tensors(function, change):
    """The function, with every tensor of floats among its arguments changed."""

    def changed(value):
        if isinstance(value, list | tuple):
            return type(value)(changed(v) for v in value)
        return change(value) if torch.is_tensor(value) and value.is_floating_point() else value

    return lambda *args, **named: function(*changed(args), **{name: changed(value) for name, value in named.items()})


def in_float32(function):
    return with_tensors(function, torch.Tensor.float)


def detached(function):
    return with_tensors(function, torch.Tensor.detach)
