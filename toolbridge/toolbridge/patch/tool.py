"""`apply_patch` as scripts and models see it."""

from __future__ import annotations

from toolbridge.tools import Annotations, Kind, Tool

SOURCE_ID = "apply_patch"

APPLY_PATCH = Tool(
    name="apply_patch",
    source=SOURCE_ID,
    kind=Kind.FREEFORM,
    description="""\
Adds, edits, moves and deletes text files below the working folder. Takes one string:

*** Begin Patch
*** Add File: notes/new.md
+each line of the file, after a plus sign
*** Update File: src/main.py
*** Move to: src/app.py
@@ def run():
     a line that stays
-    a line that goes
+    a line that comes
*** Delete File: old.txt
*** End Patch

`*** Move to:` may be left out. A hunk starts with `@@`, alone or with a line of the file that is \
before it; its lines have to be in the file, one after the other, in one place only. \
`*** End of File` after a hunk pins it to the end. Everything is checked before anything is \
written: a patch that is refused has changed nothing.""",
    output_schema={"type": "object", "properties": {}, "additionalProperties": False},
    annotations=Annotations(read_only=False, destructive=True),
)
