"""Which tools stay out of a prompt until they are looked for, and how they come back."""
