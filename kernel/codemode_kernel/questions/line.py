"""Puts a question line by line, in the input box under a cell."""

from __future__ import annotations

from typing import Any, Protocol

from codemode_kernel.questions.forms import Field, UnfitError, fields_of
from codemode_kernel.questions.question import Question, Said


class ReadLine(Protocol):
    """Shows a prompt and gives what was typed; a `password` is not shown."""

    async def __call__(self, prompt: str, *, password: bool = False) -> str: ...


async def ask_by_line(question: Question, read: ReadLine) -> Said:
    """Ask until the answer is clear."""
    if question.form is not None:
        return await _fill_in(question, question.form, read)
    prompt = f"{_description(question)}{question.invitation}"
    while True:
        typed = await read(prompt)
        choice = question.chosen_by(typed)
        if choice is not None:
            return Said(choice.word)
        if question.takes_text:
            return Said(question.choices[0].word, typed)
        prompt = f"Please answer {question.invitation}"


async def _fill_in(question: Question, form: Any, read: ReadLine) -> Said:
    """A required field that stays empty declines the whole."""
    accept, decline = question.choices
    filled: dict[str, Any] = {}
    fields = fields_of(form)
    if not fields:
        agreed = await read(f"{_description(question)}Agree? [y]es, [n]o: ")
        is_yes = agreed.strip().lower() in ("y", "yes")
        return Said(accept.word, {}) if is_yes else Said(decline.word)
    before = _description(question)
    for field in fields:
        value = await _ask_field(field, before, read)
        before = ""
        if value is not None:
            filled[field.name] = value
        elif field.is_required:
            return Said(decline.word)
    return Said(accept.word, filled)


async def _ask_field(field: Field, before: str, read: ReadLine) -> Any:
    prompt = f"{before}{field.prompt}"
    while True:
        try:
            return field.read(await read(prompt, password=field.is_secret))
        except UnfitError as error:
            prompt = f"Please answer again, {error}. {field.prompt}"


def _description(question: Question) -> str:
    text = "\n".join(f"    {line}" for line in question.text.split("\n"))
    reason = f"{question.reason}\n" if question.reason else ""
    return f"{question.title}:\n{text}\n{reason}"
