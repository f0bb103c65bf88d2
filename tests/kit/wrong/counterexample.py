"""Wrong files for counterexample, each a whole submission as somebody might hand it in."""


# --- largest_matters_most
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[5.0], [1.0], [1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- weights_not_summing
import torch


def counterexample():
    return torch.tensor([0.6, 0.3, 0.3]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- logits_instead_of_weights
import torch


def counterexample():
    return torch.tensor([3.0, 1.0, 1.0]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- zero_weight
import torch


def counterexample():
    return torch.tensor([0.6, 0.4, 0.0]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- negative_weight
import torch


def counterexample():
    return torch.tensor([0.9, 0.3, -0.2]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- tie
import torch


def counterexample():
    return torch.tensor([0.4, 0.4, 0.2]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- too_close
import torch


def counterexample():
    return torch.tensor([0.36, 0.32, 0.32]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- others_matter_too_little
import torch


def counterexample():
    return torch.tensor([0.8, 0.1, 0.1]), torch.tensor([[0.0, 0.0], [0.5, 0.0], [0.0, 0.5]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- one_other_not_moving
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- between_the_others
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0.4], [1.0], [2.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- single_token
import torch


def counterexample():
    return torch.tensor([1.0]), torch.tensor([[0.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- values_one_dimension
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([0.0, 1.0, 1.0])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- values_transposed
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- integers
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0, 0], [1, 0], [0, 1]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- row_matrix
import torch


def counterexample():
    return torch.tensor([[0.6, 0.2, 0.2]]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- swapped_results
import torch


def counterexample():
    return torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), torch.tensor([0.6, 0.2, 0.2])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- lists
import torch


def counterexample():
    return [0.6, 0.2, 0.2], [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- nan_value
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0.0, 0.0], [1.0, float('nan')], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- infinite_value
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0.0], [1.0], [float('inf')]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- equal_contribution
import torch


def counterexample():
    return torch.tensor([0.5, 0.25, 0.25]), torch.tensor([[1.0], [2.0], [2.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- percent
import torch


def counterexample():
    return torch.tensor([60.0, 20.0, 20.0]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- wrong_length
import torch


def counterexample():
    return torch.tensor([0.6, 0.4]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- two_weights_rounded
import torch


def counterexample():
    return torch.tensor([0.67, 0.17, 0.17]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- complex_values
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0j], [1 + 0j], [1j]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- only_counterexample
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


# --- same_weights
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.5, 0.3, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- too_similar
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.45, 0.35, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- all_values_equal
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[2.0], [2.0], [2.0]])


# --- values_nearly_equal
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[2.0], [2.0], [2.01]])


# --- outputs_differ
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0], [2.0], [5.0]])


# --- outputs_differ_in_one_channel
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0, 1.0], [1.0, 2.0], [5.0, 0.0]])


# --- outputs_nearly_equal
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0], [1.01], [5.0]])


# --- permuted_together
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.2, 0.3, 0.5]), torch.tensor([[1.0], [2.0], [3.0]])


# --- second_not_normalised
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.3]), torch.tensor([[1.0], [1.0], [0.0]])


# --- second_has_zero
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.8, 0.0, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- negative_second
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.9, -0.1, 0.2]), torch.tensor([[1.0], [1.0], [5.0]])


# --- all_zero_values
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.zeros(3, 2)


# --- different_lengths
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.5, 0.5]), torch.tensor([[1.0], [1.0], [5.0]])


# --- twins_values_flat
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([1.0, 1.0, 5.0])


# --- only_two
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([[1.0], [1.0], [5.0]]), torch.tensor([0.3, 0.5, 0.2])


# --- missing_values
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.5]), torch.tensor([0.2, 0.8])


# --- twins_nan
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[float('nan')], [1.0], [5.0]])


# --- twins_integers
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1], [1], [5]])


# --- huge_cancellation
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.5, 0.2]), torch.tensor([[1.0], [1.0 + 1e-3], [5.0]])


# --- one_token_twins
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([1.0]), torch.tensor([1.0]), torch.tensor([[1.0]])


# --- both_wrong
import torch


def counterexample():
    return torch.tensor([0.4, 0.3, 0.3]), torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def twins():
    return torch.tensor([0.5, 0.5]), torch.tensor([0.4, 0.6]), torch.tensor([[1.0], [2.0]])


# --- whole_numbers
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0, 0], [5, 0], [0, 5]])
def twins():
    return torch.tensor([0.2, 0.6, 0.2]), torch.tensor([0.4, 0.2, 0.4]), torch.tensor([[0], [1], [2]])


# --- values_transposed_2
import torch


def counterexample():
    return torch.tensor([0.6, 0.2, 0.2]), torch.tensor([[0.0, 5.0, 5.0], [0.0, 1.0, 2.0]])
def twins():
    return torch.tensor([0.2, 0.6, 0.2]), torch.tensor([0.4, 0.2, 0.4]), torch.tensor([[0.0, 1.0, 2.0]])


# --- weights_as_a_matrix
import torch


def counterexample():
    return torch.tensor([[0.6, 0.2, 0.2]]), torch.tensor([[0.0, 0.0], [5.0, 0.0], [0.0, 5.0]])
def twins():
    return torch.tensor([[0.2, 0.6, 0.2]]), torch.tensor([[0.4, 0.2, 0.4]]), torch.tensor([[0.0], [1.0], [2.0]])
