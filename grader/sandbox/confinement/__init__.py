"""The layers that leave a worker nothing but computing: Landlock, seccomp, namespaces, resource limits.

In: limits, and the readable paths. Out: a process that has given up everything else, or an error.
"""

from grader.sandbox.confinement import gpu_memory, gpu_survey, layers, libc, memory_watch, nvidia
from grader.sandbox.confinement.layers import REQUIRED, survey
from grader.sandbox.confinement.rlimits import ProcessLimits
