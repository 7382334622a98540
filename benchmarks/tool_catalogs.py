"""Large catalogs of tools, made up but shaped like those of real servers; the same every time."""

import random
from collections.abc import Sequence

from toolbridge import Kind, Tool

TOOLS_OF_A_SERVER = 40

VERBS = "create list get update delete search move copy send archive merge export".split()  # noqa: SIM905
NOUNS = (  # noqa: SIM905
    "issue branch file folder message channel event invoice customer order report user role ticket "
    "page comment label release build token"
).split()
FILLER = (  # noqa: SIM905
    "returns matching entries within limits sorted newest first when given optional filters by name "
    "state owner date range project workspace including archived items and their metadata"
).split()
RESULT = {
    "type": "object",
    "properties": {
        "content": {"type": "array", "items": {"type": "object"}},
        "isError": {"type": "boolean"},
        "_meta": {"type": "object"},
        "structuredContent": {
            "type": "object",
            "properties": {"id": {"type": "string"}, "url": {"type": "string"}},
        },
    },
}


def catalog_of(number: int) -> list[Tool]:
    """`number` tools of MCP servers, with described parameters and results."""
    chance = random.Random(number)
    return [_tool(place, chance) for place in range(number)]


def _tool(place: int, chance: random.Random) -> Tool:
    server = place // TOOLS_OF_A_SERVER
    verb, noun = chance.choice(VERBS), chance.choice(NOUNS)
    return Tool(
        f"{verb}_{noun}_{place}",
        source=f"mcp:server{server}",
        namespace=f"mcp__server{server}",
        description=f"{verb.title()} a {noun} of project{place}. {_sentence(chance, 14)}",
        kind=Kind.FUNCTION,
        input_schema={
            "type": "object",
            "properties": {
                f"{noun}_{word}": {"type": "string", "description": _sentence(chance, 7)}
                for word in chance.sample(FILLER, 5)
            },
            "required": [],
        },
        output_schema=RESULT,
    )


def _sentence(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(FILLER, k=words))


def queries(tools: Sequence[Tool], number: int) -> list[str]:
    """Queries as models write them: words, a name, or both with words that all tools share."""
    chance = random.Random(number)
    chosen = chance.choices(tools, k=number)
    forms = ("{0} {1}", "{0} the {1} of project{2}", "{3}", "{0} {1} by name with optional filters")
    return [chance.choice(forms).format(*tool.name.split("_"), tool.raw_name) for tool in chosen]
