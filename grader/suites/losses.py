"""Why a call got no answer, in a sentence: how a lost worker died, or what kept the call from being made."""

from __future__ import annotations

import signal

from grader.texts import Text, plain, translated

CALL_TIMEOUT = translated("took longer than {seconds:g} s and was stopped{where}")
UNTIL_THEN = translated("{reason}; until then {name} was called {count:,} times")
BUDGET = translated("all calls together took longer than {seconds:g} s")
NOT_AWAITED = translated("not waited for, because an earlier call took too long")
EXITED = translated("the code ended its process (exit code {code})")
KILLED = translated("the process died: {signal}")
OUT_OF_MEMORY = translated("the process was killed; did it use too much memory?")
OUT_OF_GPU_MEMORY = translated("held more than {limit} MB of the GPU's memory and was stopped")
OUT_OF_CPU = translated("used more processor time than allowed")
TOO_LARGE = translated("returns more than {limit} MB")
GARBLED = translated("the code disturbed the connection to the grader")
BESIDE = translated("starts a background thread on import; this check does not allow threads")
HOLDS = translated(
    "holds more than {most} MB before the call, which may use {most} MB in all; create nothing large at import"
)


def died(code: int | None) -> Text:
    """Say from its exit code why a process is silent; None if it lives."""
    if code is None:
        return GARBLED
    if code >= 0:
        return EXITED.format(code=code)
    if -code == getattr(signal, "SIGXCPU", None):
        return OUT_OF_CPU
    if -code == getattr(signal, "SIGKILL", None):
        return OUT_OF_MEMORY
    return KILLED.format(signal=plain(signal.strsignal(-code) or f"signal {-code}"))
