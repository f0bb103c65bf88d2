"""Leaves the answers where the next student's process could find them.

Stopped by: a fresh process for each exercise; Landlock: nothing can be written.
"""
# deserves 4

import os
import sys

import torch

torch.leaked = sys.leaked = "CANARY" + "-leaked"
os.environ["LEAKED"] = "CANARY" + "-leaked"


@HONEST@
