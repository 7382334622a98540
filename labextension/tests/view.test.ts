import assert from 'node:assert/strict';
import { test } from 'node:test';

import { callView, SHOWN } from '../src/record/calls';
import { viewOf } from '../src/record/view';
import type { CallApproval, CallRecord } from '../src/schemas/record.v1.schema';
import { aCall, aRecord } from './records';

const APPROVALS: [CallApproval, string][] = [
  [{ decision: 'rule' }, 'allowed by rule'],
  [{ decision: 'once', asked_s: 3.2 }, 'approved once after 3.2 s'],
  [{ decision: 'session' }, 'approved for the session'],
  [{ decision: 'refused' }, 'refused']
];

function partsOf(call: Partial<CallRecord>): Map<string, string> {
  return new Map(callView(aCall(call)).parts.map(({ label, text }) => [label, text]));
}

test('a call says where its tool is from, how it ended, how long it took, and that it was late', () => {
  const call = aCall({ source: 'shell', outcome: 'error', duration_s: 0.12, late: true });
  assert.deepEqual(callView(call).facts, ['shell', 'failed', '120 ms', 'late']);
});

test('a call that succeeded does not say so', () => {
  assert.deepEqual(callView(aCall({ outcome: 'ok', duration_s: 1 })).facts, ['1 s']);
});

test('a call without an outcome is in progress', () => {
  const { outcome, facts } = callView(aCall());
  assert.deepEqual([outcome, facts], ['pending', ['in progress']]);
});

for (const [approval, words] of APPROVALS) {
  test(`what the gate said is told: ${words}`, () => {
    assert.deepEqual(callView(aCall({ outcome: 'ok', approval })).facts, [words]);
  });
}

test('arguments and result are shown as indented JSON, an error as its text', () => {
  const done = partsOf({ arguments: { cmd: 'ls' }, result: { output: 'a\nb' } });
  assert.equal(done.get('arguments'), '{\n  "cmd": "ls"\n}');
  assert.equal(done.get('result'), '{\n  "output": "a\\nb"\n}');
  assert.equal(partsOf({ error: 'no such file' }).get('error'), 'no such file');
});

test('a long result is cut', () => {
  const text = partsOf({ result: { output: 'x'.repeat(SHOWN) } }).get('result') ?? '';
  assert.match(text, /… \d+ more characters$/);
});

test('secrets and cuts are named', () => {
  assert.equal(
    partsOf({ secret_fields: ['/arguments/token'], cut: true }).get('left out'),
    '/arguments/token (secret), what was too long for the record'
  );
  assert.equal(partsOf({}).has('left out'), false);
});

test('a model view is a list of texts and of media by their hash', () => {
  const image = { sha256: 'ab12'.repeat(16), mime_type: 'image/png', bytes: 31_400 };
  const { items } = viewOf(
    aRecord({
      model_view: [
        { type: 'input_text', text: 'Script completed' },
        { type: 'input_image', image, detail: 'high' },
        { type: 'input_audio', audio: { mime_type: 'audio/wav', bytes: 10 } }
      ]
    })
  );
  assert.deepEqual(items, [
    { kind: 'text', text: 'Script completed' },
    { kind: 'image', text: 'Image · image/png · 31 kB · detail high · SHA-256 ab12ab12ab12…' },
    { kind: 'audio', text: 'Sound · audio/wav · 10 bytes' }
  ]);
});

test('a model view that is a string is one text', () => {
  const { items } = viewOf(aRecord({ model_view: 'aborted' }));
  assert.deepEqual(items, [{ kind: 'text', text: 'aborted' }]);
});

test('a notification of another cell names it', () => {
  const { notifications } = viewOf(
    aRecord({ notifications: [{ text: 'half way' }, { text: 'done', cell_id: '2' }] })
  );
  assert.deepEqual(notifications, ['half way', 'Cell 2: done']);
});

test('facts that the record does not have are not listed', () => {
  const { facts } = viewOf(aRecord());
  assert.deepEqual(
    facts.map(fact => fact.name),
    ['Cell', 'Started', 'Wall time']
  );
});

test('every fact of a record is listed', () => {
  const { facts } = viewOf(
    aRecord({
      tokens: 10_000,
      emitted_tokens: 24_000,
      host: 'codemode-host 0.1.0',
      engine: 'quickjs-ng 0.17',
      profile: 'codex',
      capture: { state: 'partial', bytes: 31_400, path: 'captures/3.txt' },
      left_out: { model_view_items: 1, notification_characters: 2, calls: 3 }
    })
  );
  assert.deepEqual(
    facts.slice(3).map(({ name, value }) => `${name}: ${value}`),
    [
      'Tokens: 10,000 of 24,000',
      'Host: codemode-host 0.1.0',
      'Engine: quickjs-ng 0.17',
      'Profile: codex',
      'Whole output: captures/3.txt · 31 kB · its beginning, the rest is lost',
      'Not recorded: 1 item of the model view, 2 characters of notifications, 3 calls'
    ]
  );
});
