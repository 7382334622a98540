/** Data of one output by MIME type, as a notebook holds it. */
export type OutputData = Readonly<Record<string, unknown>>;

/** Looks for an image or a sound by the SHA-256 of its bytes; gives a data URL. */
export type FindMedia = (kind: 'image' | 'audio', sha256: string) => Promise<string | undefined>;

/** Longest base64 text that is hashed and drawn, in characters: 32 MiB of bytes. */
const LONGEST = 44 * 1024 * 1024;

const MEDIA_TYPE = /^(image|audio)\/[\w.+-]{1,80}$/;

/** A finder among the outputs of a cell, which are asked for when there is something to find. */
export function mediaAmong(outputs: () => Iterable<OutputData>): FindMedia {
  return async (kind, sha256) => {
    for (const data of outputs()) {
      for (const [type, held] of Object.entries(data)) {
        if (MEDIA_TYPE.exec(type)?.[1] === kind && typeof held === 'string') {
          if ((await hashOf(bytesOf(type, held))) === sha256) {
            return dataUrl(type, held);
          }
        }
      }
    }
    return undefined;
  };
}

function isText(type: string): boolean {
  return type === 'image/svg+xml';
}

function bytesOf(type: string, held: string): Uint8Array<ArrayBuffer> | undefined {
  if (held.length > LONGEST) {
    return undefined;
  }
  if (isText(type)) {
    return new TextEncoder().encode(held);
  }
  try {
    return Uint8Array.from(atob(held), character => character.charCodeAt(0));
  } catch {
    return undefined; // no base64
  }
}

/** Hexadecimal; nothing on pages that are not served securely, where browsers do not hash. */
async function hashOf(bytes: Uint8Array<ArrayBuffer> | undefined): Promise<string | undefined> {
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto };
  if (bytes === undefined || subtle === undefined) {
    return undefined;
  }
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes));
  return Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('');
}

function dataUrl(type: string, held: string): string {
  return isText(type)
    ? `data:${type},${encodeURIComponent(held)}`
    : `data:${type};base64,${held.replace(/\s/g, '')}`;
}
