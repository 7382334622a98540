"""What a test's MCP server does, by a script in JSON. Standard library only, so that it starts fast.

    {"tools": [{"name", "behaviour", ...}], "instructions", "initialize": "hang" | "die",
     "stubborn": true to outlive its stdin and SIGTERM, "banner": TEXT for stdout,
     "flood": BYTES for stderr, "resources": [{"uri", "text"}],
     "beside_tools": {FIELD: VALUE} in the list of tools}

A behaviour is what happens at a call of the tool, in this order: `stderr` writes a line, `flood`
bytes of it, `progress` [[done, total, message], ...] is told, `delay_ms` passes, then `crash` ends
the process, `hang` never answers, `after` waits for the call of another tool to be answered,
`elicit` puts a question and answers with what it was told, `then_list` is the list of tools from now
on (with `then_hang` it is never given), `error` [code, message] or `mcp_result` or `large` (a text
of so many characters) is the answer, or on stdout the line `garbled`, with `ID` for the id of the
call.

Every message that comes is a line of the file `log`.
"""

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Message = dict[str, Any]


class Script:
    """One server. `send` takes what it says."""

    def __init__(self, spec: Message, log: Path, send: Callable[[Message], None]) -> None:
        self._spec = spec
        self._log = log
        self._send = send
        self._tools = spec.get("tools", [])
        self._held: list[tuple[Any, str, Message]] = []
        self._asked: dict[str, Any] = {}
        self._hangs = False

    def start(self) -> None:
        """What is said before anything is asked."""
        if self._spec.get("stubborn"):
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if "banner" in self._spec:
            print(self._spec["banner"], flush=True)
        self._write_stderr(self._spec.get("flood", 0))

    def end(self) -> None:
        """Nothing more will come."""
        if self._spec.get("stubborn"):
            threading.Event().wait()

    def hear(self, message: Message) -> None:
        """Take one message."""
        with self._log.open("a") as log:
            log.write(json.dumps(message) + "\n")
        number, method = message.get("id"), message.get("method")
        if method is None:
            self._take_answer(message)
        elif method == "initialize":
            self._greet(message)
        elif method == "tools/call":
            self._call(number, message["params"])
        elif number is not None and not (self._hangs and method == "tools/list"):
            self._answer(number, self._read_only(method, message.get("params") or {}))

    def _greet(self, message: Message) -> None:
        if self._spec.get("initialize") == "hang":
            return
        if self._spec.get("initialize") == "die":
            print("the config is missing", file=sys.stderr, flush=True)
            os._exit(3)
        capabilities: Message = {"tools": {"listChanged": True}}
        if "resources" in self._spec:
            capabilities["resources"] = {}
        self._answer(
            message["id"],
            {
                "protocolVersion": message["params"]["protocolVersion"],
                "capabilities": capabilities,
                "serverInfo": {"name": "scripted", "version": "1"},
                "instructions": self._spec.get("instructions", ""),
            },
        )

    def _read_only(self, method: str, params: Message) -> Message | None:
        resources = self._spec.get("resources", [])
        if method == "tools/list":
            listed: Message = {"tools": [_offered(tool) for tool in self._tools]}
            return listed | self._spec.get("beside_tools", {})
        if method == "resources/list":
            return {"resources": [{"uri": one["uri"], "name": one["uri"]} for one in resources]}
        if method == "resources/templates/list":
            return {"resourceTemplates": [{"uriTemplate": "note://{name}", "name": "note"}]}
        if method == "resources/read":
            found = [one for one in resources if one["uri"] == params["uri"]]
            return {"contents": found} if found else None
        return {} if method == "ping" else None

    def _call(self, number: Any, params: Message) -> None:
        name = params["name"]
        behaviour = next(tool["behaviour"] for tool in self._tools if tool["name"] == name)
        if "stderr" in behaviour:
            print(behaviour["stderr"], file=sys.stderr, flush=True)
        self._write_stderr(behaviour.get("flood", 0))
        self._tell_progress(behaviour, params)
        time.sleep(behaviour.get("delay_ms", 0) / 1000)
        if behaviour.get("crash"):
            os._exit(1)
        if behaviour.get("hang"):
            return
        if "elicit" in behaviour:
            question = f"question-{len(self._asked)}"
            self._asked[question] = number
            self._say(id=question, method="elicitation/create", params=behaviour["elicit"])
            return
        if "after" in behaviour:
            self._held.append((number, behaviour["after"], behaviour))
            return
        self._finish(number, behaviour)
        for held in [held for held in self._held if held[1] == name]:
            self._held.remove(held)
            self._finish(held[0], held[2])

    def _finish(self, number: Any, behaviour: Message) -> None:
        if "then_list" in behaviour:
            self._tools = behaviour["then_list"]
            self._hangs = behaviour.get("then_hang", False)
            if behaviour.get("notify_list_changed", True):
                self._say(method="notifications/tools/list_changed")
        if "garbled" in behaviour:
            print(behaviour["garbled"].replace("ID", json.dumps(number)), flush=True)
        elif "error" in behaviour:
            code, message = behaviour["error"]
            self._say(id=number, error={"code": code, "message": message})
        elif "large" in behaviour:
            self._answer(number, _text("x" * behaviour["large"]))
        else:
            self._answer(number, behaviour.get("mcp_result", _text("ok")))

    def _take_answer(self, message: Message) -> None:
        number = self._asked.pop(message["id"], None)
        if number is not None:
            self._answer(number, _text(json.dumps(message.get("result", message.get("error")))))

    def _tell_progress(self, behaviour: Message, params: Message) -> None:
        token = params.get("_meta", {}).get("progressToken")
        for done, total, text in behaviour.get("progress", []):
            told = {"progressToken": token, "progress": done, "total": total, "message": text}
            self._say(method="notifications/progress", params=told)

    def _write_stderr(self, size: int) -> None:
        if size:
            sys.stderr.write("~" * size + "\nthe end of the flood\n")
            sys.stderr.flush()

    def _answer(self, number: Any, result: Message | None) -> None:
        if result is None:
            self._say(id=number, error={"code": -32601, "message": "Method not found"})
        else:
            self._say(id=number, result=result)

    def _say(self, **message: Any) -> None:
        self._send({"jsonrpc": "2.0", **message})


def _offered(tool: Message) -> Message:
    offered = {"inputSchema": {"type": "object"}, **tool}
    for ours in ("behaviour", "kind", "deferred"):
        offered.pop(ours, None)
    return offered


def _text(text: str) -> Message:
    return {"content": [{"type": "text", "text": text}]}
