"""Figures, the targets they are held against, and the table that shows both."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

NOT_MEASURED = "not measured"


@dataclass(frozen=True)
class Target:
    """A bound on our own figure, or on its ratio to the peer's."""

    of: Literal["figure", "ratio"]
    sign: Literal["<=", ">=", "<"]
    bound: float

    def is_met(self, value: float) -> bool:
        if self.sign == ">=":
            return value >= self.bound
        return value < self.bound if self.sign == "<" else value <= self.bound

    def __str__(self) -> str:
        return f"{self.sign} {self.bound:g}{'x' if self.of == 'ratio' else ''}"


def at_most(ratio: float) -> Target:
    return Target("ratio", "<=", ratio)


def at_least(ratio: float) -> Target:
    return Target("ratio", ">=", ratio)


def below(figure: float) -> Target:
    return Target("figure", "<", figure)


@dataclass(frozen=True)
class Row:
    """One measurement. `peer` is None where there is no peer, or it is absent from this machine."""

    what: str
    unit: str
    ours: float
    peer: float | None = None
    peer_name: str = ""
    target: Target | None = None

    @property
    def ratio(self) -> float | None:
        return self.ours / self.peer if self.peer else None

    @property
    def verdict(self) -> str:
        """`met`, `missed`, `not measured`, or nothing where no target was set."""
        if self.target is None:
            return ""
        value = self.ours if self.target.of == "figure" else self.ratio
        if value is None:
            return NOT_MEASURED
        return "met" if self.target.is_met(value) else "missed"

    def cells(self) -> list[str]:
        if self.peer is not None:
            peer = f"{show(self.peer)} {self.peer_name}"
        else:
            peer = f"{NOT_MEASURED} ({self.peer_name})" if self.peer_name else ""
        ratio = f"{self.ratio:.2f}x" if self.ratio is not None else ""
        target = str(self.target) if self.target else ""
        return [self.what, self.unit, show(self.ours), peer, ratio, target, self.verdict]


HEADINGS = ["measurement", "unit", "ours", "peer", "ratio", "target", ""]


def show(figure: float) -> str:
    """Three digits are what a benchmark can tell: 4.31, 61.7, 373, 146,000."""
    if figure == 0:
        return "0"
    if figure >= 1000:
        digits = 10 ** (len(str(int(figure))) - 3)
        return f"{round(figure / digits) * digits:,}"
    return f"{figure:#.3g}".rstrip(".")


def table(rows: Iterable[Row]) -> str:
    lines: list[Sequence[str]] = [HEADINGS, *(row.cells() for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
