"""The truncation rules written down plainly, on whole lists: what the streaming ones must equal.

Items are `input_text`, `input_image` and `input_audio` objects; audio is assumed to be unreadable,
so that it costs what its URL costs as text.
"""

from math import ceil
from typing import Any

Item = dict[str, Any]


def size(text: str) -> int:
    return len(text.encode())


def tokens(length: int) -> int:
    return ceil(length / 4)


def text_item(text: str) -> Item:
    return {"type": "input_text", "text": text}


def cut(text: str, budget: int) -> str:
    data, left = text.encode(), 4 * budget // 2
    right = len(data) - (4 * budget - left)
    head = data[:left].decode("utf-8", "ignore")
    tail = data[right:].decode("utf-8", "ignore")
    return f"{head}…{tokens(len(data) - 4 * budget)} tokens truncated…{tail}"


def all_text(items: list[Item], budget: int) -> list[Item]:
    joined = ""
    for item in items:
        joined += ("\n" if joined else "") + item["text"]
    if size(joined) <= 4 * budget:
        return items
    lines = joined.count("\n") + (not joined.endswith("\n"))
    return [
        text_item(
            f"Warning: truncated output (original token count: {tokens(size(joined))})\n"
            f"Total output lines: {lines}\n\n{cut(joined, budget)}"
        )
    ]


def item_by_item(items: list[Item], budget: int) -> list[Item]:
    kept: list[Item] = []
    omitted = {"text": 0, "audio": 0}
    for item in items:
        if item["type"] == "input_image":
            kept.append(item)
        elif item["type"] == "input_audio":
            cost = tokens(size(item["audio_url"]))
            if cost <= budget:
                kept.append(item)
                budget -= cost
            else:
                omitted["audio"] += 1
        elif item["text"]:
            cost = tokens(size(item["text"]))
            if not budget:
                omitted["text"] += 1
            elif cost <= budget:
                kept.append(item)
                budget -= cost
            else:
                kept.append(text_item(cut(item["text"], budget)))
                budget = 0
    notices = [f"[omitted {n} {kind} items ...]" for kind, n in omitted.items() if n]
    return kept + [text_item(notice) for notice in notices]


def output(header: str, items: list[Item], budget: int, prompt_budget: int) -> str | list[Item]:
    if not items:
        return header
    is_text = all(item["type"] == "input_text" for item in items)
    first = all_text(items, budget) if is_text else item_by_item(items, budget)
    return item_by_item([text_item(header), *first], prompt_budget)
