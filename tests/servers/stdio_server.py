"""A scripted MCP server on stdin and stdout: `python stdio_server.py SPEC LOG [MARKER]`."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from script import Message, Script  # type: ignore[import-not-found]


def send(message: Message) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


script = Script(json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[2]), send)
script.start()
for line in sys.stdin:
    script.hear(json.loads(line))
script.end()
