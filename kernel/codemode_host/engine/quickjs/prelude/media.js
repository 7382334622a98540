// Images, audio and MCP content blocks (contract 9.2 to 9.4, measured facts 41 to 47).

const IMAGE_SHAPE =
  "image expects a non-empty image URL string, an object with image_url and optional detail, " +
  "or a raw MCP image block";
const AUDIO_SHAPE =
  "audio expects a non-empty audio URL string, an object with audio_url, " +
  "or a raw MCP audio block";
const BLOCK_SHAPE = "content expects one MCP ContentBlock";
const DEFAULT_MIME_TYPE = "application/octet-stream";

const startsWith = (text, scheme) =>
  apply(toLowerCase, apply(slice, text, [0, scheme.length]), []) === scheme;
const isDetail = (word) =>
  word === "auto" || word === "low" || word === "high" || word === "original";

const optionalDetail = (detail) => {
  if (detail === undefined || detail === null) return undefined;
  if (typeof detail !== "string") throw "image detail must be a string when provided";
  return detail;
};

const emitImage = (url, detail) => {
  if (!startsWith(url, "data:")) {
    throw startsWith(url, "http:") || startsWith(url, "https:")
      ? "Tool call failed: remote image URLs are not supported in tool outputs. Pass a base64 data URI instead"
      : "Tool call failed: invalid image output. Pass a base64 data URI instead";
  }
  const word = detail === undefined ? "high" : apply(toLowerCase, detail, []);
  if (!isDetail(word)) throw "image detail must be one of: auto, low, high, original";
  must(host.emitImage(stringify(wellFormed(url)), stringify(word)));
};

const emitAudio = (url) => {
  if (!startsWith(url, "data:")) {
    throw "Tool call failed: invalid audio output. Pass a base64 data URI instead";
  }
  must(host.emitAudio(stringify(wellFormed(url))));
};

const dataUrl = (mimeType, data) =>
  startsWith(data, "data:") ? data : "data:" + mimeType + ";base64," + data;

/** The value as its JSON says it is: an object of plain own properties, or undefined. */
const readBlock = (json) => {
  must(host.inspect(json));
  const block = parse(json);
  return isObject(block) && !isArray(block) ? block : undefined;
};

const metaOf = (block, key) => {
  const meta = ownValue(block, "_meta");
  return isObject(meta) ? ownValue(meta, key) : undefined;
};

/** `value[key]` where it is a string or absent; `shape` is thrown for anything else. */
const urlProperty = (value, key, shape) => {
  let url;
  try {
    url = value[key];
  } catch {
    return undefined; // read again as JSON, whose error is the one that surfaces
  }
  if (url !== undefined && typeof url !== "string") throw shape;
  return isArray(value) ? undefined : url; // an array is no shape, but is read as one
};

/** A whole MCP block given to `image` or `audio`: [data URL, block]. */
const mediaBlock = (value, type, shape) => {
  const block = readBlock(serialize(value));
  if (block === undefined || isArray(value)) throw shape;
  const given = ownValue(block, "type");
  if (typeof given !== "string") throw shape;
  if (given !== type) {
    throw type + " only accepts MCP " + type + " blocks, got \"" + given + "\"";
  }
  const data = ownValue(block, "data");
  if (typeof data !== "string" || data === "") {
    throw type + " expected MCP " + type + " data";
  }
  const mimeType = ownValue(block, has(block, "mimeType") ? "mimeType" : "mime_type");
  const known = typeof mimeType === "string" && mimeType !== "";
  return { __proto__: null, url: dataUrl(known ? mimeType : DEFAULT_MIME_TYPE, data), block };
};

const blockDetail = (block) => {
  const detail = metaOf(block, "codex/imageDetail");
  return isDetail(detail) ? detail : undefined;
};

/** Shows the image; a record of the error of a throwing `detail` getter comes back (fact 47). */
const showImage = (value, argument) => {
  let detail = optionalDetail(argument);
  let url = value;
  let failure;
  if (isObject(value)) {
    url = urlProperty(value, "image_url", IMAGE_SHAPE);
    if (url === undefined) {
      const media = mediaBlock(value, "image", IMAGE_SHAPE);
      emitImage(media.url, detail ?? blockDetail(media.block));
      return undefined;
    }
    let own;
    try {
      own = value.detail;
    } catch (error) {
      failure = { __proto__: null, error };
    }
    const ownDetail = optionalDetail(own); // checked also where the argument wins
    detail ??= ownDetail;
  }
  if (typeof url !== "string" || url === "") throw IMAGE_SHAPE;
  emitImage(url, detail);
  return failure;
};

const playAudio = (value) => {
  let url = value;
  if (isObject(value)) {
    url = urlProperty(value, "audio_url", AUDIO_SHAPE);
    url ??= mediaBlock(value, "audio", AUDIO_SHAPE).url;
  }
  if (typeof url !== "string" || url === "") throw AUDIO_SHAPE;
  emitAudio(url);
};

const showGeneratedImage = (value) => {
  if (!isObject(value)) throw "generatedImage expects an image generation result object";
  let hint;
  try {
    hint = value.output_hint;
  } catch {
    throw "failed to read generatedImage output_hint";
  }
  if (hint !== undefined && typeof hint !== "string") {
    throw "generatedImage output_hint must be a string when provided";
  }
  const failure = showImage(value, undefined);
  if (hint !== undefined) emitText(wellFormed(hint));
  return failure;
};

const isText = (value) => typeof value === "string";
const isNullableText = (value) => value === undefined || value === null || isText(value);

/** The data URL of an image or audio block inside `content`, undefined if it is malformed. */
const contentUrl = (block) => {
  const data = ownValue(block, "data");
  const camel = ownValue(block, "mimeType");
  const snake = ownValue(block, "mime_type");
  if (!isText(data) || !isNullableText(camel) || !isNullableText(snake)) return undefined;
  if (camel !== undefined && snake !== undefined) return undefined;
  return dataUrl(camel ?? snake ?? DEFAULT_MIME_TYPE, data);
};

const isResourceLink = (block) => {
  const size = ownValue(block, "size");
  const icons = ownValue(block, "icons");
  return (
    isText(ownValue(block, "uri")) &&
    isText(ownValue(block, "name")) &&
    isNullableText(ownValue(block, "title")) &&
    isNullableText(ownValue(block, "description")) &&
    isNullableText(ownValue(block, "mimeType")) &&
    (size === undefined || size === null || isInteger(size)) &&
    (icons === undefined || icons === null || isArray(icons))
  );
};

const isResource = (block) => {
  const resource = ownValue(block, "resource");
  return (
    isObject(resource) &&
    isText(ownValue(resource, "uri")) &&
    isNullableText(ownValue(resource, "mimeType")) &&
    (isText(ownValue(resource, "text")) || isText(ownValue(resource, "blob")))
  );
};

const emitBlock = (value) => {
  if (value === undefined) throw BLOCK_SHAPE;
  const json = serialize(value);
  const block = readBlock(json);
  const type = block === undefined ? undefined : ownValue(block, "type");
  if (type === "text" && isText(ownValue(block, "text"))) {
    if (metaOf(block, "codex/encryptedContent") === true) {
      throw "content cannot emit encrypted MCP text";
    }
    emitText(ownValue(block, "text"));
  } else if (type === "image" || type === "audio") {
    const url = contentUrl(block);
    if (url === undefined) throw BLOCK_SHAPE;
    if (type === "image") emitImage(url, blockDetail(block));
    else emitAudio(url);
  } else if (
    (type === "resource_link" && isResourceLink(block)) ||
    (type === "resource" && isResource(block))
  ) {
    emitText(json);
  } else {
    throw BLOCK_SHAPE;
  }
};

// In the reference these three are JavaScript: named, and with a source to read.

function content(value) {
  const iterate = typeof value === "string" ? undefined : value?.[iteratorKey];
  if (typeof iterate !== "function") return emitBlock(value);
  const blocks = { __proto__: null, [iteratorKey]: () => apply(iterate, value, []) };
  for (const block of blocks) emitBlock(block);
}
