import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';

import { mediaAmong, type OutputData } from '../src/record/media';

const BYTES = Buffer.from([137, 80, 78, 71, 0, 255]);
const BASE64 = BYTES.toString('base64');

function hashOf(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex');
}

function among(...outputs: OutputData[]): ReturnType<typeof mediaAmong> {
  return mediaAmong(() => outputs);
}

test('an image is found by its bytes among the outputs of the cell', async () => {
  const find = among(
    { 'text/plain': 'before' },
    { 'image/png': 'AAAA' },
    { 'image/png': `${BASE64}\n`, 'text/plain': '[image/png]' }
  );
  assert.equal(await find('image', hashOf(BYTES)), `data:image/png;base64,${BASE64}`);
});

test('a drawing that outputs hold as a text is found, too', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
  const url = await among({ 'image/svg+xml': svg })('image', hashOf(svg));
  assert.equal(url, `data:image/svg+xml,${encodeURIComponent(svg)}`);
});

test('nothing is found of another kind, of other bytes, or in what is no base64', async () => {
  const find = among(
    { 'image/png': BASE64 },
    { 'image/png': '%%%' },
    { 'image/png': { not: 'text' } },
    { 'text/html': BASE64 }
  );
  assert.equal(await find('audio', hashOf(BYTES)), undefined);
  assert.equal(await find('image', hashOf('others')), undefined);
});
