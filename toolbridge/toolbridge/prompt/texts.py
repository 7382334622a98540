"""What the product says to a model about exec and wait, unless a configuration says it otherwise."""

from __future__ import annotations

YIELD_TIME = "{{ default_exec_yield_time_ms }}"
IMAGE_HELPER = "{{ image_helper }}"
"""The two placeholders of an exec description, to the letter."""

EXEC = f"""\
Run a JavaScript program that calls tools and puts their results together.
- The program is an ES module with top-level `await`. It starts in a fresh JavaScript engine that \
knows nothing of earlier programs.
- Every tool is an async function of the object `tools`: `const result = await tools.NAME(argument)`. \
Calls that do not depend on each other can run side by side: \
`const [a, b] = await Promise.all([tools.first({{}}), tools.second({{}})])`.
- A tool takes one argument, as its declaration says: an object, or a string for a free-form tool.
- A tool gives what its declaration says: an object or a string. A failed call rejects with a string, \
so handle it with `try` and `String(error)`.
- This is plain JavaScript and no more: no Node, no browser, no file system, no network, no `console`, \
no imports. Reach the world through `tools`.
- Send the source text itself: no JSON around it, no quotes, no Markdown fence.
- The first line may hold options: `// @exec: {{"yield_time_ms": 10000, "max_output_tokens": 1000}}`.
- `yield_time_ms` is the time after which you get what there is so far while the program goes on in \
the background; the default is {YIELD_TIME} ms.
- `max_output_tokens` bounds the text you get back from this call; the default is 10000.
- The engine is thrown away when the module has been evaluated. Calls and timers that nothing awaits \
are dropped then, so await what you need.

Besides `tools`, these globals exist:
- `exit()`: ends the program here, as a success.
- `text(value)`: adds text to the output; what is not a string is shown as JSON. The value of an \
expression alone shows nothing.
- {IMAGE_HELPER}
- `audio(clip)`: adds a sound: a base64 data URL, an object with `audio_url`, or one MCP audio block.
- `generatedImage(result)`: adds what an image-making tool gave, with its hint.
- `store(key, value)`: keeps a JSON value for later programs of this session.
- `load(key)`: gives a kept value, or `undefined`.
- `notify(value)`: sends you a message at once, while the program goes on.
- `setTimeout(callback, delay_ms)`: calls back later, and gives an id. A timer alone keeps no program \
alive.
- `clearTimeout(id)`: takes a timer back.
- `ALL_TOOLS`: a list of `{{ name, description }}` of every tool, those that are not described here \
included.
- `yield_control()`: gives you the output so far at once; the program goes on."""

IMAGE_HELPER_PLAIN = (
    "`image(picture)`: adds an image: a base64 data URL, an object with `image_url`, or one MCP image "
    "block."
)
"""For models that see every image alike."""

IMAGE_HELPER_WITH_DETAIL = (
    "`image(picture, detail)`: adds an image: a base64 data URL, an object with `image_url` and "
    "`detail`, or one MCP image block. `detail` is `auto`, `low`, `high` (the default) or `original`."
)

DEFERRED_GUIDANCE = (
    "Not every tool is described here. The others are on `tools` and in `ALL_TOOLS` as well: filter "
    "`ALL_TOOLS` by `name` and `description`, read the declaration in the description, then call it. "
    "The tools can change between two calls of exec."
)

MCP_TYPES_HEADING = "Shared MCP Types:"

MCP_TYPES = """\
type Role = "user" | "assistant";
type MetaObject = { [key: string]: unknown };
type Annotations = { audience?: Role[]; priority?: number; lastModified?: string };
type Icon = { src: string; mimeType?: string; sizes?: string[]; theme?: "light" | "dark" };
type TextResourceContents = { uri: string; mimeType?: string; text: string; _meta?: MetaObject };
type BlobResourceContents = { uri: string; mimeType?: string; blob: string; _meta?: MetaObject };
type TextContent = { type: "text"; text: string; annotations?: Annotations; _meta?: MetaObject };
type ImageContent = {
  type: "image"; data: string; mimeType: string; annotations?: Annotations; _meta?: MetaObject;
};
type AudioContent = {
  type: "audio"; data: string; mimeType: string; annotations?: Annotations; _meta?: MetaObject;
};
type ResourceLink = {
  type: "resource_link"; uri: string; name: string; title?: string; description?: string;
  mimeType?: string; size?: number; icons?: Icon[]; annotations?: Annotations; _meta?: MetaObject;
};
type EmbeddedResource = {
  type: "resource"; resource: TextResourceContents | BlobResourceContents;
  annotations?: Annotations; _meta?: MetaObject;
};
type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;
type CallToolResult<TStructured = unknown> = {
  content: ContentBlock[]; structuredContent?: TStructured; isError?: boolean; _meta?: MetaObject;
};"""

WAIT = """\
Get more output, or the result, of a program that exec left running.
- Use it only after exec or wait has said that the script is running, with a cell id.
- `cell_id` is that id.
- `yield_time_ms` is how long to wait before you get what there is; the default is 10000.
- `max_tokens` bounds the text you get back from this call; the default is 10000.
- `terminate: true` ends the program.
- You get what is new since the last look, or what the program came to.
- A program that still runs stays under the same id: wait again.
- A program that has ended gives its result once; its id is gone after that."""
