"""What leaves the process or wraps an engine: one file a library."""
