"""The sandbox for strangers' code: `processes` starts and talks, `confinement` restricts, `worker` runs the code."""
