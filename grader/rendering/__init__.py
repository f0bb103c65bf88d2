"""Reports for eyes: `terminal` for the command line, `pages` for a browser."""
