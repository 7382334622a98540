import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readRecord, UnreadableRecord } from '../src/record/read';
import { aCall, aRecord } from './records';

const DAMAGED: [string, unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['a string', 'completed'],
  ['a list', [1]],
  ['an empty object', {}],
  ['no version', { ...aRecord(), version: undefined }],
  ['a version in words', { ...aRecord(), version: '1' }],
  ['an unknown status', { ...aRecord(), status: 'exploded' }],
  ['a wall time that is no number', { ...aRecord(), wall_time_s: '0.3' }],
  ['a call that is null', { ...aRecord(), calls: [null] }],
  ['calls that are no list', { ...aRecord(), calls: { length: 2 } }],
  ['a call without a tool', { ...aRecord(), calls: [{ ...aCall(), tool: undefined }] }],
  ['an unknown outcome', { ...aRecord(), calls: [{ ...aCall(), outcome: 'maybe' }] }],
  ['an approval of an unknown kind', { ...aRecord(), calls: [{ ...aCall(), approval: {} }] }],
  ['an item of an unknown type', { ...aRecord(), model_view: [{ type: 'video' }] }],
  ['an image without its media', { ...aRecord(), model_view: [{ type: 'input_image' }] }],
  ['a notification without text', { ...aRecord(), notifications: [{}] }]
];

test('a record is read as it is', () => {
  const record = aRecord({
    model_view: [
      { type: 'input_text', text: 'Script completed' },
      { type: 'input_image', image: { sha256: 'ab', mime_type: 'image/png', bytes: 5 } },
      { type: 'input_audio', audio: {} }
    ],
    notifications: [{ text: 'half way', cell_id: '2' }],
    calls: [aCall({ outcome: 'ok', approval: { decision: 'rule' }, secret_fields: ['/result'] })],
    left_out: { calls: 3 },
    capture: { state: 'capturing' }
  });
  assert.equal(readRecord(record), record);
});

test('arguments and results of a call may be any value', () => {
  const calls = [{ ...aCall(), arguments: 'ls', result: [null, 1] }];
  assert.doesNotThrow(() => readRecord({ ...aRecord(), calls }));
});

test('fields that nobody knows are passed over', () => {
  assert.doesNotThrow(() => readRecord({ ...aRecord(), colour: 'green' }));
});

test('another version is named', () => {
  assert.throws(
    () => readRecord({ version: 2 }),
    new UnreadableRecord('The record of this cell has version 2; version 1 is understood here.')
  );
});

for (const [name, data] of DAMAGED) {
  test(`a damaged record is refused: ${name}`, () => {
    assert.throws(
      () => readRecord(data),
      new UnreadableRecord('The record of this cell is damaged and cannot be shown.')
    );
  });
}
