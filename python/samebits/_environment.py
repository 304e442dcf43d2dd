"""The floating-point environment of the contract around Python code that computes or converts numbers.

Other packages of a process change it (one built with ``-ffast-math`` turns subnormals into zero for the thread that
imports it). Native calls set their own; but NumPy converts inputs and Python prints and reads floats on the way."""

import functools

from samebits import _core


def in_own_environment(function):
    """The function, rounding to nearest-even and keeping subnormals; its caller's environment is restored at the end.

    Not for generators: the code between two values would run in it too."""

    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        with _core.FpEnvironment():
            return function(*args, **kwargs)

    return wrapped


def stepwise(function):
    """The same for a generator function: each step computes in the own environment, nothing in between does."""

    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        values = function(*args, **kwargs)
        step = in_own_environment(next)
        end = object()
        while (value := step(values, end)) is not end:
            yield value

    return wrapped
