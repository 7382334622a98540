"""Finding deferred tools by words, loading them, and remembering what was loaded."""
