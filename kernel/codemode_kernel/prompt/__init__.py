"""What a user sets and chooses about the prompt: options, `%deferral`, what was loaded."""
