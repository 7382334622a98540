"""The table of rules; the first that has something to say is the hint."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from codemode_kernel.hints import (
    grammar,
    missing_names,
    not_javascript,
    promises,
    silence,
    tool_use,
    values,
)
from codemode_kernel.hints.facts import Facts

Rule: TypeAlias = Callable[[Facts], str | None]

LONGEST = 20_000
"""Longest source that is looked at, in characters."""

AFTER_ERROR: tuple[Rule, ...] = (
    not_javascript.markdown_fence,
    not_javascript.json_instead_of_script,
    not_javascript.indented_magic,
    not_javascript.python,
    not_javascript.shell_command,
    grammar.module_import,
    grammar.await_in_plain_function,
    grammar.top_level_return,
    grammar.declared_twice,
    grammar.backslash,
    not_javascript.typescript,
    grammar.open_string,
    grammar.brackets,
    missing_names.bare_tool,
    missing_names.missing_global,
    missing_names.name_of_earlier_cell,
    missing_names.shell_variable,
    missing_names.unknown_name,
    tool_use.unknown_tool,
    tool_use.wrong_argument,
    values.parsed_object,
    values.message_of_string,
    promises.member_of_promise,
    promises.unawaited_call,
)
"""What a failed cell is asked; what the source is comes before what is in it."""

AFTER_SUCCESS: tuple[Rule, ...] = (
    promises.member_of_promise,
    promises.unawaited_call,
    promises.async_for_each,
    promises.calls_cut_off,
    promises.timer_cut_off,
    tool_use.literal_line_break,
    values.message_of_string,
    silence.bare_value,
    silence.unshown_result,
    silence.only_declarations,
)
"""What a completed cell is asked, if anything about it is odd."""

_UNAWAITED = re.compile(r"(?<!await )\btools\.\w+\(|\bawait tools\.\w+\([^;\n]*\)\.\w")
"""Calls that may lack an `await`, or have it in the wrong place."""
_LITERAL_BREAK = re.compile(r"write_stdin[\s\S]*\\\\[nr]")


def hint_for(facts: Facts) -> str | None:
    """One sentence for the person, or None; `backticks` mark what can be typed."""
    if len(facts.code) > LONGEST:
        return None
    if facts.error_text is not None:
        rules = AFTER_ERROR
    elif _is_odd(facts):
        rules = AFTER_SUCCESS
    else:
        return None
    return next(filter(None, (rule(facts) for rule in rules)), None)


def _is_odd(facts: Facts) -> bool:
    """Whether a completed cell is worth a look: most are not, and are not even parsed."""
    if facts.silent or facts.calls.failed or facts.calls.stopped:
        return True
    return bool(_UNAWAITED.search(facts.code) or _LITERAL_BREAK.search(facts.code))
