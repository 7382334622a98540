"""What decides about a call before it has any effect: rules, modes, questions, hooks."""
