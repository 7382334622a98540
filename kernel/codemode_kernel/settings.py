"""What a user can set about the kernel: `CodeModeKernel.*`, on the command line or in a file.

Files are `codemode_config.py` or `codemode_config.json` in Jupyter's configuration folders
(`jupyter --paths`; JUPYTER_CONFIG_DIR and JUPYTER_CONFIG_PATH name more). A file that merely lies
beside a notebook is not read: what a notebook brings along is not what the kernel obeys.
"""

from __future__ import annotations

import shlex
from typing import Any

from codemode_rules.budget import PROMPT_MAX_TOKENS
from toolbridge.session_tools import SESSION_TOOLS
from traitlets import Bool, Dict, Enum, Float, Integer, List, Unicode

from codemode_kernel.prompt.options import PromptOptions


class Command(List[str]):
    """A command line: a list of words, or one string that is split as a shell would."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(Unicode(), **kwargs)

    def set(self, obj: Any, value: Any) -> None:
        """Accept a string in place of a list."""
        super().set(obj, shlex.split(value) if isinstance(value, str) else value)

    def from_string_list(self, s_list: list[str]) -> list[str]:
        """What the command line says: one string, or one option a word."""
        return shlex.split(s_list[0]) if len(s_list) == 1 else list(s_list)


class KernelSettings(PromptOptions):
    """The kernel's options, each with a help text that reads as documentation."""

    host_command = Command(
        help="""Program and arguments of the host that runs the cells. Any host that speaks
        protocol V1 on its stdin and stdout will do, such as
        `codex-code-mode-host --listen stdio`. Empty: our own.""",
    ).tag(config=True)

    exec_yield_time_ms = Integer(
        10_000,
        min=0,
        help="""Milliseconds after which a cell that is still running gives the notebook back
        and goes on in the background. A pragma on its first line,
        `// @exec: {"yield_time_ms": 500}`, sets it for one cell. From 10 seconds up the host
        waits one second longer. It limits nothing: cells run as long as they like. Clients
        that take no input (nbclient, papermill, nbconvert) would lose late output, so there
        only the pragma counts.""",
    ).tag(config=True)

    wait_yield_time_ms = Integer(
        10_000,
        min=0,
        help="""Milliseconds after which `%wait` gives the notebook back although the cell it
        waits for is still running. `--yield-time-ms` sets it for one wait.""",
    ).tag(config=True)

    max_output_tokens = Integer(
        10_000,
        min=0,
        help="""Budget of a cell's output as a model sees it, in tokens of four bytes. The
        pragma's `max_output_tokens` and `%wait --max-tokens` set it for one call. What a
        person sees in the notebook is not cut.""",
    ).tag(config=True)

    prompt_max_tokens = Integer(
        PROMPT_MAX_TOKENS,
        min=0,
        help="""Tokens that any one output may take of a model's prompt: what `max_output_tokens`
        let through is bounded once more. A large number leaves that out, as for a transcript that
        holds what came before it.""",
    ).tag(config=True)

    late_output = Enum(
        ("wait", "origin"),
        "wait",
        help="""What becomes of the output of a cell that runs on in the background.
        `wait`: it is kept for the next `%wait`, as a model would get it; the line under the
        cell shows its last lines meanwhile. `origin`: it is also shown under the cell it
        comes from, as it comes.""",
    ).tag(config=True)

    hints = Bool(
        True,
        help="""Whether a cell that failed in a typical way, or showed nothing, gets one line
        that says what to write instead. Models never see it.""",
    ).tag(config=True)

    session_tools = List(
        Enum(SESSION_TOOLS),
        help="""Small tools that scripts of other sessions call, each offered when it is named
        here. `update_plan`: notes the plan of a longer task. `goals`: `create_goal`, `get_goal`
        and `update_goal`. `clock`: `clock__curr_time`. `shell_command`: runs a command to its
        end and rejects when it fails; it asks as `exec_command` does.""",
    ).tag(config=True)

    record_calls = Enum(
        ("full", "names", "none"),
        "full",
        help="""How much of a cell's tool calls is saved in the notebook, in the record that each
        cell leaves. `full`: arguments and results as well, without fields that are secrets; only
        such a record can be replayed without the tools. `names`: which tools were called, when,
        how they ended and who allowed it. `none`: nothing.""",
    ).tag(config=True)

    profile = Enum(
        ("codex", "seed"),
        "codex",
        help="""Which of two worlds the kernel reproduces where they differ. `codex`: the
        Codex CLI as measured. `seed`: the documented behaviour, with a catchable exit().""",
    ).tag(config=True)

    trace_calls = Bool(
        True,
        help="""Whether the tool calls of a running cell are drawn under it, once one of them
        takes its time.""",
    ).tag(config=True)

    model = Unicode(
        "",
        help="""Name of the model whose view of a cell is shown, such as `gpt-5.5`. It decides what
        the model is told of an image's detail and whether it gets sounds. Empty: a model like
        most.""",
    ).tag(config=True)

    audio_input = Bool(
        None,
        allow_none=True,
        help="""Whether the model gets sounds, where its name does not say so. False with the
        profile `codex` also puts a notice in the place of the sounds that MCP tools give.""",
    ).tag(config=True)

    exit_is_catchable = Bool(
        help="""Whether `exit()` throws the string `codex_code_mode_exit`, which a script can
        catch, rather than ending the cell for good. By default as the profile says. Only our
        own host can do it.""",
    ).tag(config=True)

    gate_rules = List(
        Dict(),
        help="""Ordered rules for tool calls; the first that matches decides. Each is an object
        with `decision` (`allow`, `ask` or `deny`), and any of `tool` and `source` (globs),
        `read_only`, `destructive`, `principal`, `arguments` (argument to value,
        `{"glob": ...}` or `{"regex": ...}`) and `reason`. Without a rule that matches, a
        read-only tool runs and everything else asks you first. Example:
        `[{"decision": "allow", "tool": "exec_command", "arguments": {"cmd": "git status"}}]`.""",
    ).tag(config=True)

    mcp_servers = Dict(
        help="""MCP servers by name, in the form that other clients use under `mcpServers`:
        `{"git": {"command": "mcp-server-git", "args": ["-r", "."]}}`, or with `url` and `headers`.
        More come from `codemode_mcp.json` in Jupyter's configuration folder (`jupyter --config-dir`),
        and from `.mcp.json` beside the notebook once you agreed. `%mcp` shows them all.""",
    ).tag(config=True)

    gate_mode = Enum(
        ("ask", "plan", "allow-all"),
        "ask",
        help="""What the gate does with calls that no rule denies. `ask`: as rules say, and by
        asking you. `plan`: refuse whatever can change anything. `allow-all`: ask nobody.
        `%gate mode` sets it for one session.""",
    ).tag(config=True)

    question_timeout_s = Float(
        6 * 3600.0,
        min=0.0,
        help="""Seconds that a question to you stays open: an approval, what an MCP server asks,
        what `ask_user` asks. After that the call is refused. The time counts against no limit
        of the cell.""",
    ).tag(config=True)

    ask_user = Bool(
        False,
        help="""Whether a model gets the tool `ask_user`, which puts a question to you. Scripts
        cannot call it.""",
    ).tag(config=True)

    max_uncollected_cells = Integer(
        256,
        min=1,
        help="""Ended cells that may wait to be collected. Past that the oldest are collected
        into the lines under their own cells.""",
    ).tag(config=True)

    def _exit_is_catchable_default(self) -> bool:
        return bool(self.profile == "seed")
