"""What a model is told about the tools: the exec and wait descriptions, and what they cost."""
