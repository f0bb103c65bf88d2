"""Where strangers' code runs: `processes` starts it and talks to it, `confinement` takes its rights, `worker` is it."""
