"""What an exec cell has beside the language: its helpers, as declarations (contract 5 to 8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

IMAGE_DETAILS: Mapping[str, Any] = {"enum": ["auto", "low", "high", "original"]}


@dataclass(frozen=True)
class Helper:
    """One global function."""

    name: str
    signature: str
    """Its TypeScript signature after the name."""
    description: str
    parameters: tuple[Mapping[str, Any] | None, ...] = ()
    """Schemas of the arguments whose values are known beforehand."""

    @property
    def declaration(self) -> str:
        """In TypeScript."""
        return f"{self.name}{self.signature}"


_SETTLED = (
    '{ index: number; status: "fulfilled"; value: unknown } | '
    '{ index: number; status: "rejected"; reason: unknown }'
)

HELPERS = {
    helper.name: helper
    for helper in (
        Helper(
            "text",
            "(value: unknown): void",
            "Shows a string as it is, anything else as JSON.",
        ),
        Helper(
            "image",
            '(image: string | object, detail?: "auto" | "low" | "high" | "original"): void',
            "Shows an image: a base64 data URL, an object with image_url, or an MCP image block.",
            (None, IMAGE_DETAILS),
        ),
        Helper(
            "audio",
            "(audio: string | object): void",
            "Shows a player for a base64 data URL, an object with audio_url, or an MCP audio block.",
        ),
        Helper(
            "content",
            "(block: object | Iterable<object>): void",
            "Shows one MCP content block, or each of several.",
        ),
        Helper(
            "generatedImage",
            "(result: { image_url: string; output_hint?: string }): void",
            "Shows what an image tool gave: the image, then its hint.",
        ),
        Helper(
            "notify",
            "(value: unknown): void",
            "Tells something at once, while the cell goes on.",
        ),
        Helper(
            "store",
            "(key: string, value: unknown): void",
            "Keeps a JSON value for later cells. It is written when the cell ends.",
        ),
        Helper(
            "load",
            "(key: string): unknown",
            "Gives a copy of a stored value, or undefined.",
        ),
        Helper(
            "yield_control",
            "(): void",
            "Gives the notebook back at once; the cell goes on in the background.",
        ),
        Helper(
            "exit",
            "(): never",
            "Ends the cell here, as completed.",
        ),
        Helper(
            "as_settled",
            f"(promises: Iterable<unknown>): AsyncIterable<{_SETTLED}>",
            "Goes through results in the order in which they settle: for await (const r of ...).",
        ),
        Helper(
            "stream_settled",
            f"(promises: Iterable<unknown>, callback: (result: {_SETTLED}) => unknown): "
            "Promise<void>",
            "Calls back with each result, in the order in which they settle.",
        ),
        Helper(
            "setTimeout",
            "(callback: () => void, delay_ms?: number): number",
            "Calls back later, without arguments. A timer does not keep a cell alive.",
        ),
        Helper(
            "clearTimeout",
            "(id?: number): void",
            "Takes a timer back.",
        ),
    )
}

TOOLS_TYPE = "Record<string, (args: unknown) => Promise<unknown>>"
TOOLS_DESCRIPTION = "The tools of this session: await tools.NAME({...})."
ALL_TOOLS_TYPE = "Array<{ name: string; description: string }>"
ALL_TOOLS_DESCRIPTION = "Every tool by name, with its description and declaration."
