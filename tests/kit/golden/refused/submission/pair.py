# coding: utf-7
def pair(x):
    return x + 1, x * 2
