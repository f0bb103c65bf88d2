"""The grading engine of Attention Kit; it knows nothing about attention."""
