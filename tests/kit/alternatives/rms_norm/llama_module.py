import torch
from torch import nn


class LlamaRMSNorm(nn.Module):
    def __init__(self, eps):
        super().__init__()
        self.variance_epsilon = eps

    def forward(self, hidden_states, weight):
        input_dtype = hidden_states.dtype
        hidden_states = hidden_states.to(torch.float32)
        variance = hidden_states.pow(2).mean(-1, keepdim=True)
        hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        hidden_states = hidden_states.to(input_dtype)
        return hidden_states if weight is None else (weight * hidden_states).to(input_dtype)


def rms_norm(x, weight=None, eps=1e-6):
    return LlamaRMSNorm(eps)(x, weight)
