"""A session of the product for one case: our own host, real tools, nobody's notebook."""

import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from codemode_kernel.session.session import Session, SessionSettings
from toolbridge.media import MediaPreparation, MediaRules, media_rules

from toolbridge import Toolbox

HOST = (sys.executable, "-m", "codemode_host", "--listen", "stdio")


@asynccontextmanager
async def case_session(
    toolbox: Toolbox | None = None,
    *,
    host: Sequence[str] = HOST,
    principal: str | None = None,
    media: MediaRules | None = None,
) -> AsyncIterator[Session]:
    """A started session, closed together with its toolbox; `media` as in the profile `codex`."""
    toolbox = toolbox or Toolbox()
    preparation = MediaPreparation(media or media_rules("codex"))
    session = Session(SessionSettings(host), toolbox, principal=principal, media=preparation)
    try:
        await session.start()
        yield session
    finally:
        await session.close()
        await toolbox.close()
