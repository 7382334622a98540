"""Which tools stay out of a prompt until they are looked for, and what stands there for them."""
