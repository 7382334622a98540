"""Real processes behind `exec_command` and `write_stdin`.

All of them are children of one small process, the supervisor (`supervisor`), which this side talks
to through a socket (`supervision`). The supervisor adopts what its children leave behind, and ends
everything when the socket closes: so no shell outlives the kernel, however the kernel ends.

A `job` is one command: its process group, the pipes its stdout and stderr come through
(`output_pipes`; `output` keeps it until somebody reads) and the pipe to its stdin (`input_pipe`),
or a `terminal` for all of them. It is over when its first process has ended, nothing is left of its
group, and both `streams` are closed: a background child belongs to the command that started it.

Readers get both streams as one text. A `sink` may take all of each, too: what readers leave out is
then kept by somebody else.

`sessions` knows which commands there are and how many there may be, `exchange` is one
`write_stdin`. `arguments` reads what scripts pass, `tools` is what they are told, `results` and
`errors` are what they get, `command_line` finds the shell.
`path` is put before the user's PATH.
"""
