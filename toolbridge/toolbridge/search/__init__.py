"""Finding tools by words: the index, its ranking, and the two tools that use them."""
