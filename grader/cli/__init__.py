"""The commands: parse what a person types into options, call one function, print its result, exit.

In: the arguments of a command. Out: lines on the terminal, and an exit code.
"""

from grader.cli.main import main
