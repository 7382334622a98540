"""The Jupyter side of Code Mode: messages to sessions, content items to notebook outputs."""

__version__ = "0.1.0"


def _jupyter_labextension_paths() -> list[dict[str, str]]:
    """Where JupyterLab's tools find the built extension, for a live link to it."""
    return [{"src": "labextension", "dest": "codemode-labextension"}]
