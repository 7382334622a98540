"""Session tools behind one gate."""
