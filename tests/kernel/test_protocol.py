"""Jupyter's own test of kernels."""

import unittest
from typing import Any

import jupyter_kernel_test
import pytest
from codemode_kernel.record import MIME

from tests.kernel.test_cells import PIXEL

pytestmark = pytest.mark.slow


class TestProtocol(jupyter_kernel_test.KernelTests):
    kernel_name = "codemode"
    language_name = "javascript"
    file_extension = ".js"
    code_hello_world = 'text("hello, world")'
    code_stderr = "%%python\nimport sys\nprint('test', file=sys.stderr)"
    code_generate_error = "throw new Error('no')"
    code_page_something = "%help"
    code_display_data = ({"code": f'image("{PIXEL}")', "mime": "image/png"},)
    complete_code_samples = ("text(1)", "for (const x of [1]) {\n  text(x)\n}", "%cells")
    incomplete_code_samples = ("text(", "for (const x of [1]) {", "const s = `a")
    invalid_code_samples = ("text(1))", "let = ;")
    completion_samples = (
        {"text": "tex", "matches": {"text"}},
        {"text": "await tools.exec_", "matches": {"exec_command"}},
        {"text": "tools.exec_command({wor", "matches": {"workdir"}},
        {"text": "%wai", "matches": {"%wait"}},
    )
    code_inspect_sample = "tools.exec_command"
    # The history test runs these; see test_execute_result.
    code_execute_result = ({"code": "6*7"}, {"code": "text(1*2)"}, {"code": "8*9"})
    code_history_pattern = "text(1?2)"
    supported_history_operations = ("tail", "range", "search")

    def execute_helper(self, *args: Any, **kwargs: Any) -> tuple[Any, list[Any]]:
        """What the code made; its record is no output of the code."""
        reply, messages = super().execute_helper(*args, **kwargs)
        return reply, [m for m in messages if MIME not in m["content"].get("data", {})]

    def test_execute_result(self) -> None:
        raise unittest.SkipTest("an exec cell has no last value: only helpers create output")

    def test_error(self) -> None:
        """One error and no other."""
        self.flush_channels()
        reply, messages = self.execute_helper(self.code_generate_error)
        assert reply["content"]["status"] == "error"
        assert [message["msg_type"] for message in messages].count("error") == 1


class TestIopubWelcome(jupyter_kernel_test.IopubWelcomeTests):
    kernel_name = "codemode"
    support_iopub_welcome = True
