"""What the hidden suites share: right functions with places to go wrong, and inputs that find mistakes."""
