"""Sources that are no script of a cell at all: fenced, quoted, or in another language."""

from __future__ import annotations

import json
import re

from codemode_kernel.hints.facts import Facts

_COMMANDS = """
apt apt-get awk bash brew bun cargo cat cd chmod chown cmake cp curl date deno df diff dir
docker dotnet du echo env find gh git go gradle grep head hostname ip java jq kill kubectl ls
make mkdir mv mvn mypy nano node npm npx perl php ping pip pip3 pnpm poetry powershell ps pwd
pwsh py pytest python python3 rg rm rmdir rsync ruby ruff rustc scp sed sh sort ssh sudo
systemctl tail tar tee touch tree tsc uname uniq unzip uv vim wc wget which whoami xargs yarn
zip zsh
"""
COMMANDS = frozenset(_COMMANDS.split())
"""First words by which a shell command is known."""

_FENCE = re.compile(r"^\s*(```|~~~)", re.MULTILINE)
_PROMPT = re.compile(r"^(?:[!$>]|PS>)\s*")
_POWERSHELL = re.compile(r"[A-Z][a-z]+-[A-Z]\w+")
_OPERATOR = r"[=(.;:,]|[+*/]=?\s"
"""What follows a JavaScript name rather than a command."""
_HEREDOC = re.compile(r"<<-?\s*(['\"]?)\w+\1\s*$", re.MULTILINE)
_PYTHON = re.compile(
    r"^\s*(?:(?:async )?def \w+\(.*|class \w+.*:|(?:el)?if [^(].*:|else:|for \w[\w, ]* in .+:|"
    r"while .+:|with .+:|try:|except.*:|import \w[\w.]*(?: as \w+)?|from [\w.]+ import .+)\s*$",
    re.MULTILINE,
)
_PYTHON_NAMES = frozenset({"None", "True", "False", "len", "str", "range", "input"})
_TYPES = r"(?:string|number|boolean|any|unknown|void|object|never|Promise<|Record<|Array<)"
_TYPESCRIPT = re.compile(
    rf"^\s*(?:export\s+)?(?:interface|enum|declare|namespace|abstract class)\s+\w"
    rf"|^\s*(?:export\s+)?type\s+\w+(?:<.*>)?\s*="
    rf"|\b(?:const|let|var)\s+\w+\s*:\s*[\w\"'({{\[]"
    rf"|[(,]\s*\w+\??\s*:\s*{_TYPES}"
    rf"|\)\s*:\s*{_TYPES}"
    rf"|\bas\s+(?:const|[A-Z]\w*|{_TYPES})"
    rf"|\bimport\s+type\b",
    re.MULTILINE,
)


def markdown_fence(facts: Facts) -> str | None:
    """A fence parses as tagged templates, and the call of an empty template fails."""
    fenced = facts.first_line.startswith(("```", "~~~"))
    if fenced or (facts.is_syntax_error and _FENCE.search(facts.code)):
        return "A cell is the bare script: remove the lines of the Markdown fence."
    return None


def json_instead_of_script(facts: Facts) -> str | None:
    """The JSON arguments of a call, where the script alone belongs."""
    if not facts.first_line.startswith("{"):
        return None
    try:
        value = json.loads("\n".join(facts.lines), strict=False)
    except (ValueError, RecursionError):
        return None
    if "cell_id" in value:
        return "These are the arguments of a wait: write `%wait` before them."
    if "cmd" in value:
        return "A cell is a script, no JSON: `await tools.exec_command({...})` runs a command."
    key = next((key for key in ("input", "code", "source", "script") if key in value), None)
    if key is not None:
        return f"A cell is the script itself, no JSON: write what `{key}` holds, without quotes."
    return "A cell is a script, no JSON: `text({...})` shows a value."


def indented_magic(facts: Facts) -> str | None:
    """A magic is one at the first character only; elsewhere it is a syntax error."""
    if facts.is_syntax_error and re.match(r"%{1,2}[a-z]", facts.first_line):
        return "A magic starts at the first character of its cell and is the whole cell."
    return None


def shell_command(facts: Facts) -> str | None:
    """A shell command as source; `ls -la` is a script that parses."""
    line = _PROMPT.sub("", facts.first_line)
    word, _, rest = line.partition(" ")
    command = word in COMMANDS or word.startswith("./") or _POWERSHELL.fullmatch(word)
    if facts.is_syntax_error:
        heredoc = _HEREDOC.search(facts.script.code_alone())
        found = bool(heredoc) or bool(command and not re.match(_OPERATOR, rest))
    else:
        missing = facts.missing_name or ""
        first = bool(missing) and re.split(r"\W", word, maxsplit=1)[0] == missing
        found = first and bool(command) and not re.match(_OPERATOR, rest)
    if not found:
        return None
    return 'This looks like a shell command: `await tools.exec_command({cmd: "..."})` runs one.'


def python(facts: Facts) -> str | None:
    """Python, which has a magic of its own."""
    written = facts.is_syntax_error and _PYTHON.search(facts.script.code_alone())
    if written or facts.missing_name in _PYTHON_NAMES:
        return (
            "This looks like Python: `%%python` in the first line runs it; a script is JavaScript."
        )
    return None


def typescript(facts: Facts) -> str | None:
    """Types, which no engine of cells knows."""
    if facts.is_syntax_error and (found := _TYPESCRIPT.search(facts.script.code_alone())):
        written = found[0].strip()
        return f"Cells are plain JavaScript: remove the types of TypeScript (at `{written}`)."
    return None
