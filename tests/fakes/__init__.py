"""Stand-ins for what a test must not wait for or cannot reach."""
