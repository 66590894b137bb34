"""The sample household of `make run`: two dogs, a cat, and a year that is lived through the real chat turn."""
