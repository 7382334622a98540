"""A small MCP server for one SQLite database: `python sqlite_server.py DATABASE`.

It shows what the annotations of a tool are for. `query` and `tables` say that they only read, and
SQLite holds them to it; `execute` says that it may delete, so a client asks before it is called.
"""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import BaseModel

MAX_ROWS = 1_000
"""Rows that one query gives."""

READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=False)

server = MCPServer(
    "sqlite", instructions="One SQLite database. Look at `tables` before you write a query."
)


class Table(BaseModel):
    """One table and the names of its columns."""

    name: str
    columns: list[str]


class Tables(BaseModel):
    tables: list[Table]


class Rows(BaseModel):
    columns: list[str]
    rows: list[list[Any]]
    truncated: bool


class Changes(BaseModel):
    rows_changed: int


@server.tool(annotations=READS)
def tables() -> Tables:
    """Lists the tables of the database with their columns."""
    with closing(_connect(read_only=True)) as database:
        names = database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1")
        return Tables(tables=[_table(database, name) for (name,) in names.fetchall()])


@server.tool(annotations=READS)
def query(sql: str, parameters: list[Any] | None = None) -> Rows:
    """Runs one SELECT and gives its rows, at most 1,000 of them."""
    with closing(_connect(read_only=True)) as database:
        found = _run(database, sql, parameters)
        rows = found.fetchmany(MAX_ROWS + 1)
        columns = [column[0] for column in found.description or ()]
    return Rows(
        columns=columns,
        rows=[list(row) for row in rows[:MAX_ROWS]],
        truncated=len(rows) > MAX_ROWS,
    )


@server.tool(annotations=WRITES)
def execute(sql: str, parameters: list[Any] | None = None) -> Changes:
    """Runs one statement that changes the database, and commits it."""
    with closing(_connect(read_only=False)) as database, database:
        return Changes(rows_changed=max(_run(database, sql, parameters).rowcount, 0))


@server.tool(annotations=WRITES)
async def insert_many(table: str, rows: list[list[Any]], context: Context[Any]) -> Changes:
    """Adds rows to a table, all or none of them, and tells how far it is."""
    with closing(_connect(read_only=False)) as database, database:
        for number, row in enumerate(rows, 1):
            marks = ", ".join("?" for _ in row)
            _run(database, f'INSERT INTO "{table.replace(chr(34), "")}" VALUES ({marks})', row)
            await context.report_progress(number, len(rows), f"row {number}")
    return Changes(rows_changed=len(rows))


def _table(database: sqlite3.Connection, name: str) -> Table:
    columns = database.execute("SELECT name FROM pragma_table_info(?)", (name,))
    return Table(name=name, columns=[column for (column,) in columns])


def _run(database: sqlite3.Connection, sql: str, parameters: list[Any] | None) -> sqlite3.Cursor:
    try:
        return database.execute(sql, parameters or [])
    except sqlite3.Error as error:
        raise ToolError(f"SQLite says: {error}") from None


def _connect(*, read_only: bool) -> sqlite3.Connection:
    mode = "ro" if read_only else "rwc"
    return sqlite3.connect(f"{Path(sys.argv[1]).resolve().as_uri()}?mode={mode}", uri=True)


if __name__ == "__main__":
    server.run("stdio")
