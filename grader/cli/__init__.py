"""What a person types: parse it into options, call one function, print what it says, exit.

In: the arguments of a command. Out: lines on the terminal, and an exit code.
"""

from grader.cli.main import main
