import torch


class Detective:
    def probes(self):
        return torch.cat([torch.zeros(1, 2), torch.ones(1, 2), torch.tensor([[6.0, 0.0]])])

    def classify(self, outputs):
        zero, one, _ = (row[0].item() for row in outputs.double())
        if abs(zero - 0.5) < 1e-3:
            return "softmax" if abs(one - 0.5) < 1e-3 else "sigmoid"
        return {0: "layernorm", 7: "l2", 10: "rmsnorm"}[round(one * 10)]


probes, classify = Detective().probes, Detective().classify
