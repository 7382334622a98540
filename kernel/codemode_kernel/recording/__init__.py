"""Makes the record of each exec and wait while the cell runs, bounded from the start.

`calls` gathers a cell's tool calls, `excerpt` says how much of their values is kept, `model_items`
turns the model's output into items without media, `fitting` keeps the whole within `record.LIMIT`,
`quiet_line` says what a person should know, and `records` shows the record and brings it up to date
when a yielded cell has ended.
"""
