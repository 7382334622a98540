"""What Tab and Shift-Tab know.

The text is nearly always unfinished, and an unfinished script parses into rubble. So it is finished
first: a marker goes in where the cursor stands, and what is open there is closed (`unfinished`,
`reading`). In the tree of that, the marker's neighbours say what belongs there (`places`), and
declarations, tool schemas and helpers say what there is (`scope`, `shapes`, `schemas`). All of it
is sans-I/O: a text, a cursor and the `Surroundings` go in, offers come out.
"""
