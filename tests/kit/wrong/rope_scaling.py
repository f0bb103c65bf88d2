"""Wrong submissions for rope_scaling, written from the statement, without the suite in view."""

# --- base_times_factor
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- ntk_alpha_formula
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * (factor * 2 - (factor - 1)) ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- power_without_brackets
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor**head_dim / (head_dim - 2)
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- integer_exponent
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim // (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- pairs_instead_of_channels
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim // 2 / (head_dim // 2 - 2 + 1e-9))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- ntk_divides_as_well
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device) / factor


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- theta_of_the_whole
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = (theta * factor) ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- multiplies
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) * factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- positions_not_frequencies
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return factor / freqs(head_dim, theta, device)


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- all_channels
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(head_dim, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- half_the_exponent
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(head_dim // 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- both_halves
import math

import torch


def freqs(head_dim, theta, device):
    f = 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    return torch.cat([f, f])


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- sqrt_of_factor
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / math.sqrt(factor)


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- shares_swapped
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return (1 - keep) * f + keep * f / factor


# --- clamp_forgotten
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = (turns - slow) / (fast - slow)
    return keep * f + (1 - keep) * f / factor


# --- clamp_below_only
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(min=0)
    return keep * f + (1 - keep) * f / factor


# --- clamp_above_only
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(max=1)
    return keep * f + (1 - keep) * f / factor


# --- pi_instead_of_two_pi
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / math.pi
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- two_pi_forgotten
import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- precedence_of_pi
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / 2 * math.pi
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- longer_text
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = factor * trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- bounds_fixed
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - 1.0) / (32.0 - 1.0)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- bounds_exchanged
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - fast) / (slow - fast)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- divided_by_fast_only
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / fast).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- step_at_slow
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = (turns > slow).float()
    return keep * f + (1 - keep) * f / factor


# --- ramp_in_log
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns.log() - math.log(max(slow, 1e-6))) / (math.log(fast) - math.log(max(slow, 1e-6)))).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- factor_mixed_not_frequencies
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return f / (keep + (1 - keep) * factor)


# --- yarn_scales_twice
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return (keep * f + (1 - keep) * f / factor) / factor


# --- temperature_in_the_frequencies
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return (keep * f + (1 - keep) * f / factor) * (0.1 * math.log(factor) + 1)


# --- odd_dims_pass
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- no_factor_check
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- factor_one_refused
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor <= 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor <= 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor <= 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- single_pair_accepted
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim == 2:
        return torch.ones(1, device=device)
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- no_length_check
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- equal_bounds_accepted
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast < slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- double_precision
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).double() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- theta_constant
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / 10000.0 ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = 10000.0 * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- table_on_cpu
import math

import torch


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return keep * f + (1 - keep) * f / factor


# --- ramp_over_pairs_as_published
import math

import torch


def _chk(head_dim, factor, low=2):
    if head_dim < low or head_dim % 2 or factor < 1:
        raise ValueError("bad")


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    _chk(head_dim, factor)
    if trained_len < 1 or fast <= slow:
        raise ValueError("x")

    def dim(n):
        return head_dim * math.log(trained_len / (n * 2 * math.pi)) / (2 * math.log(theta))

    low, high = max(math.floor(dim(fast)), 0), min(math.ceil(dim(slow)), head_dim - 1)
    f = theta ** (-torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    ramp = ((torch.arange(head_dim // 2, device=device).float() - low) / max(high - low, 0.001)).clamp(0, 1)
    return f / factor * ramp + f * (1 - ramp)


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


# --- ends_exchanged
import math

import torch


def _chk(head_dim, factor, low=2):
    if head_dim < low or head_dim % 2 or factor < 1:
        raise ValueError("bad")


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    _chk(head_dim, factor)
    if trained_len < 1 or fast <= slow:
        raise ValueError("x")
    out = []
    for i in range(head_dim // 2):
        f = theta ** (-2 * i / head_dim)
        r = trained_len * f / (2 * math.pi)
        if r >= fast:
            out.append(f / factor)
        elif r <= slow:
            out.append(f)
        else:
            keep = (r - slow) / (fast - slow)
            out.append(keep * f + (1 - keep) * f / factor)
    return torch.tensor(out, device=device)


def freqs(head_dim, theta, device):
    return 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return freqs(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return freqs(head_dim, base, device)


# --- each_pair_twice
import math
import torch
from torch import Tensor


def _plain(head_dim, theta, device):
    return theta ** (-torch.arange(0, head_dim, 2, dtype=torch.float64, device=device) / head_dim)


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("head_dim or factor")
    return _plain(head_dim, theta * factor ** (head_dim / (head_dim - 2)), device).float()


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad argument")
    f = _plain(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return (keep * f + (1 - keep) * f / factor).float()


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("head_dim or factor")
    f = (_plain(head_dim, theta, device) / factor).float()
    return torch.cat([f, f])


# --- ramp_over_the_pairs_between
import math
import torch

def base_frequencies(head_dim, theta, device):
    i = torch.arange(0, head_dim, 2, dtype=torch.float64, device=device)
    return theta ** (-i / head_dim)

def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 != 0:
        raise ValueError("head_dim")
    if factor < 1:
        raise ValueError("factor")
    return (base_frequencies(head_dim, theta, device) / factor).float()

def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 != 0:
        raise ValueError("ntk head_dim")
    if factor < 1:
        raise ValueError("ntk factor")
    base = theta * factor ** (head_dim / (head_dim - 2))
    return base_frequencies(head_dim, base, device).float()

def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 != 0:
        raise ValueError("yarn head_dim")
    if factor < 1:
        raise ValueError("yarn factor")
    if trained_len < 1:
        raise ValueError("yarn trained_len")
    if fast <= slow:
        raise ValueError("yarn fast")
    f = base_frequencies(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    n = head_dim // 2
    low = (turns >= fast).sum()
    high = (turns > slow).sum()
    keep = 1 - ((torch.arange(n, device=device) - low) / (high - low).clamp(min=1)).clamp(0, 1)
    return (keep * f + (1 - keep) * f / factor).float()


# --- two_slips_1
# slips: the NTK way multiplies the base by the factor without the exponent; YaRN swaps the shares kept and interpolated
import math

import torch
from torch import Tensor


def _check(head_dim: int, factor: float, least: int) -> None:
    if head_dim % 2 == 1 or head_dim < least:
        raise ValueError("head_dim must be even and large enough")
    if factor < 1:
        raise ValueError("factor must be 1 or more")


def _frequencies(head_dim: int, theta: float, device) -> Tensor:
    i = torch.arange(head_dim // 2, dtype=torch.float64, device=device)
    return theta ** (-2 * i / head_dim)


def linear_frequencies(
    head_dim: int, factor: float, theta: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    _check(head_dim, factor, 2)
    return (_frequencies(head_dim, theta, device) / factor).float()


def ntk_frequencies(
    head_dim: int, factor: float, theta: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    _check(head_dim, factor, 4)
    return _frequencies(head_dim, theta * factor, device).float()


def yarn_frequencies(
    head_dim: int,
    factor: float,
    trained_len: int,
    theta: float = 10000.0,
    slow: float = 1.0,
    fast: float = 32.0,
    device: torch.device | str | None = None,
) -> Tensor:
    _check(head_dim, factor, 2)
    if trained_len < 1 or fast <= slow:
        raise ValueError("trained_len below 1 or fast not above slow")
    f = _frequencies(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return ((1 - keep) * f + keep * f / factor).float()


# --- two_slips_2
# slips: the number of turns is not divided by 2 pi; the ramp of YaRN is not limited to 0 ... 1
import torch
from torch import Tensor


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError
    freqs = [theta ** (-2 * i / head_dim) / factor for i in range(head_dim // 2)]
    return torch.tensor(freqs, dtype=torch.float32, device=device)


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError
    base = theta * factor ** (head_dim / (head_dim - 2))
    freqs = [base ** (-2 * i / head_dim) for i in range(head_dim // 2)]
    return torch.tensor(freqs, dtype=torch.float32, device=device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None) -> Tensor:
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError
    out = []
    for i in range(head_dim // 2):
        f = theta ** (-2 * i / head_dim)
        r = trained_len * f
        keep = (r - slow) / (fast - slow)
        out.append(keep * f + (1 - keep) * f / factor)
    return torch.tensor(out, dtype=torch.float32, device=device)


# --- two_slips_3
# slips: linear_frequencies multiplies by the factor in place of dividing; the base of the NTK way is raised by factor itself in place of factor^(Dh / (Dh - 2))
import math

import torch
from torch import Tensor


def _freqs(head_dim, theta, device):
    i = torch.arange(head_dim // 2, dtype=torch.float64, device=device)
    return theta ** (-2 * i / head_dim)


def linear_frequencies(
    head_dim: int, factor: float, theta: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    return (_freqs(head_dim, theta, device) * factor).float()


def ntk_frequencies(
    head_dim: int, factor: float, theta: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    if head_dim < 4 or head_dim % 2 or factor < 1:
        raise ValueError("bad arguments")
    base = theta * factor
    return _freqs(head_dim, base, device).float()


def yarn_frequencies(
    head_dim: int,
    factor: float,
    trained_len: int,
    theta: float = 10000.0,
    slow: float = 1.0,
    fast: float = 32.0,
    device: torch.device | str | None = None,
) -> Tensor:
    if head_dim < 2 or head_dim % 2 or factor < 1 or trained_len < 1 or fast <= slow:
        raise ValueError("bad arguments")
    f = _freqs(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return (keep * f + (1 - keep) * f / factor).float()


# --- two_slips_4
# slips: in YaRN keep and 1 - keep are exchanged; the turns are not divided by 2 pi
from math import pi

import torch
from torch import Tensor


def _check(head_dim: int, factor: float, least: int = 2) -> None:
    if head_dim % 2 != 0 or head_dim < least:
        raise ValueError("head_dim")
    if factor < 1:
        raise ValueError("factor")


def _base_frequencies(head_dim, theta, device):
    steps = torch.arange(0, head_dim, 2, device=device, dtype=torch.float32)
    return 1.0 / torch.pow(torch.tensor(theta, dtype=torch.float32, device=device), steps / head_dim)


def linear_frequencies(
    head_dim: int, factor: float, theta: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    _check(head_dim, factor)
    return _base_frequencies(head_dim, theta, device) / factor


def ntk_frequencies(
    head_dim: int, factor: float, theta: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    _check(head_dim, factor, least=4)
    return _base_frequencies(head_dim, theta * factor ** (head_dim / (head_dim - 2)), device)


def yarn_frequencies(
    head_dim: int,
    factor: float,
    trained_len: int,
    theta: float = 10000.0,
    slow: float = 1.0,
    fast: float = 32.0,
    device: torch.device | str | None = None,
) -> Tensor:
    _check(head_dim, factor)
    if trained_len < 1 or fast <= slow:
        raise ValueError("trained_len, slow or fast")
    f = _base_frequencies(head_dim, theta, device)
    r = trained_len * f
    ramp = torch.clamp((r - slow) / (fast - slow), min=0.0, max=1.0)
    return (1 - ramp) * f + ramp * f / factor


# --- two_slips_5
# slips: YaRN's ramp is not cut off at 0 and 1; ntk_frequencies lets a factor below 1 pass
import torch
from torch import Tensor


def linear_frequencies(
    head_dim: int, factor: float, theta: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    if head_dim % 2 == 1 or head_dim < 2:
        raise ValueError(f"head_dim {head_dim}")
    if factor < 1.0:
        raise ValueError(f"factor {factor}")
    out = [theta ** (-2 * i / head_dim) / factor for i in range(head_dim // 2)]
    return torch.tensor(out, dtype=torch.float32, device=device)


def ntk_frequencies(
    head_dim: int, factor: float, theta: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    if head_dim % 2 == 1 or head_dim < 4:
        raise ValueError(f"head_dim {head_dim}")
    # last pair: base ** (-(Dh - 2) / Dh) must be theta ** (-(Dh - 2) / Dh) / factor
    base = theta * factor ** (head_dim / (head_dim - 2))
    return linear_frequencies(head_dim, 1.0, base, device)


def yarn_frequencies(
    head_dim: int,
    factor: float,
    trained_len: int,
    theta: float = 10000.0,
    slow: float = 1.0,
    fast: float = 32.0,
    device: torch.device | str | None = None,
) -> Tensor:
    plain = linear_frequencies(head_dim, 1.0, theta, device)
    slowed = linear_frequencies(head_dim, factor, theta, device)
    if trained_len < 1:
        raise ValueError("trained_len")
    if not fast > slow:
        raise ValueError("fast must be above slow")
    turns = plain * trained_len / (2 * torch.pi)
    keep = (turns - slow) / (fast - slow)
    return torch.lerp(slowed, plain, keep)


# --- two_slips_6
import math
import torch


def _check(head_dim, factor, least=2):
    if head_dim % 2 or head_dim < least:
        raise ValueError("head_dim")
    if factor < 1:
        raise ValueError("factor")


def _freq(head_dim, base, device):
    i = torch.arange(0, head_dim, 2, dtype=torch.float64, device=device)
    return base ** (-i / head_dim)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    _check(head_dim, factor)
    return (_freq(head_dim, theta, device) / factor).float()


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    _check(head_dim, factor, 4)
    base = theta * factor
    return _freq(head_dim, base, device).float()


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    _check(head_dim, factor)
    if trained_len < 1 or fast <= slow:
        raise ValueError("trained_len or bounds")
    f = _freq(head_dim, theta, device)
    turns = trained_len * f / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return ((1 - keep) * f + keep * f / factor).float()


# --- turns_in_the_trained_length_computed_with_3
import torch
from torch import Tensor

PI = 3


def base_frequencies(head_dim: int, theta: float, device=None) -> Tensor:
    pairs = torch.arange(head_dim // 2, device=device).double()
    return torch.exp(-2 * pairs / head_dim * torch.log(torch.tensor(theta, dtype=torch.float64)))


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 2 or head_dim % 2 == 1 or factor < 1:
        raise ValueError("linear: bad arguments")
    return base_frequencies(head_dim, theta, device).div(factor).to(torch.float32)


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 == 1 or factor < 1:
        raise ValueError("ntk: bad arguments")
    last = head_dim // 2 - 1
    pairs = torch.arange(head_dim // 2, device=device).double()
    return (base_frequencies(head_dim, theta, device) * factor ** (-pairs / last)).to(torch.float32)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim < 2 or head_dim % 2 == 1 or factor < 1 or trained_len < 1 or slow >= fast:
        raise ValueError("yarn: bad arguments")
    out = []
    for f in base_frequencies(head_dim, theta, device).tolist():
        r = trained_len * f / (2 * PI)
        if r >= fast:
            out.append(f)
        elif r <= slow:
            out.append(f / factor)
        else:
            keep = (r - slow) / (fast - slow)
            out.append(keep * f + (1 - keep) * f / factor)
    return torch.tensor(out, dtype=torch.float32, device=device)
