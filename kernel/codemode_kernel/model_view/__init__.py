"""What a model gets of an exec or a wait, and how `%view` shows it.

`model_view` follows the items of one observation and cuts them, `prompt_items` cuts once more on
the way into the prompt, `options` say for which model. `views` keeps the latest, `bundle` shows one.
`direct_results` are the items of a call that a model makes by itself.
"""
