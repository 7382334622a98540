"""Notebook cells: what one says, how it is run, and what is kept up to date under it.

`foreground` performs a cell by what its `source` says: as one of `exec_cells` or `waits`, or a
magic. `endings` are what a person then sees, `interrupt` and `stop_button` are what Stop does.
`runs` knows the notebook cell of each session cell, so that `footers` and `progress` stand below it.
"""
