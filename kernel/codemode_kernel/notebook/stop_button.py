"""What a Stop does to the notebook cell in the foreground."""

from __future__ import annotations

from codemode_kernel.notebook.interrupt import Action


class StopButton:
    """One per execution. It can be pressed before there is anything to stop."""

    def __init__(self) -> None:
        self.pressed = False
        self._action: Action | None = None

    def press(self) -> None:
        """Stop what runs; also each later press is passed on."""
        self.pressed = True
        if self._action is not None:
            self._action()

    def on_press(self, action: Action) -> None:
        """From now on a press calls `action`; a press that came before counts at once."""
        self._action = action
        if self.pressed:
            action()
