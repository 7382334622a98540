/** How quantities read: the words of the interface are English, so numbers are written that way. */
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** `12,000`. */
export function figure(amount: number): string {
  return whole.format(amount);
}

/** `1 call`, `2 calls`, `12,000 calls`. */
export function count(amount: number, noun: string): string {
  return `${whole.format(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}

/** `12 ms`, `3.4 s`, `2 min 5 s`, `1 h 2 min`. */
export function duration(seconds: number): string {
  if (seconds < 0.9995) {
    return `${whole.format(seconds * 1000)} ms`;
  }
  if (seconds < 59.95) {
    return `${short.format(seconds)} s`;
  }
  const minutes = Math.floor(Math.round(seconds) / 60);
  if (minutes < 60) {
    return `${String(minutes)} min ${String(Math.round(seconds) % 60)} s`;
  }
  return `${whole.format(Math.floor(minutes / 60))} h ${String(minutes % 60)} min`;
}

/** `1 byte`, `999 bytes`, `31 kB`, `1.2 MB`; a kB is 1,000 bytes. */
export function size(bytes: number): string {
  if (bytes < 1000) {
    return count(bytes, 'byte');
  }
  return bytes < 999_500 ? `${whole.format(bytes / 1000)} kB` : `${short.format(bytes / 1e6)} MB`;
}

/** A moment in the reader's own time zone and manner, or the text itself where it is none. */
export function moment(iso: string): string {
  const time = new Date(iso);
  return Number.isNaN(time.getTime())
    ? iso
    : time.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
}

/** The beginning of a text, at most `limit` characters, and how much more there was. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) {
    return text;
  }
  return `${text.slice(0, limit)}\n… ${count(text.length - limit, 'more character')}`;
}
