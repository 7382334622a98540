"""What a model gets of an exec or a wait, and how `%view` shows it."""
