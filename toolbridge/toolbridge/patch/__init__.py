"""Patches in the `*** Begin Patch` format, applied to the files below one folder.

Three stages, each a value for the next:

1. `reading` turns the text into a `Patch` (`document`). Nothing is looked at on the disk.
2. `planning` looks at every file the patch names, finds the place of every hunk (`matching`) and
   gives the content that each file will have. Whatever can be foreseen is refused here: nothing
   has been written yet.
3. `application` writes the new contents to temporary files beside their targets (`staging`), makes
   sure that nobody has touched anything meanwhile, and puts them in place by renames (`commit`).

Up to the first rename a `Stop` has no trace left behind. From then on the commit goes to its end.
Each path changes at once, but the patch as a whole is no transaction: a step that fails half-way is
reported with what was done, what was not, and what cannot be known. Nothing is tried again or
taken back.

All of it is blocking and runs in a thread. What touches the disk goes through `files`.
"""
