import assert from 'node:assert/strict';
import { test } from 'node:test';

import { callView, SHOWN } from '../src/record/calls';
import { wholeCall, wholeOutput } from '../src/record/commands';
import type { ItemView } from '../src/record/items';
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
  return new Map(callView(aCall(call), '3').parts.map(({ label, text }) => [label, text]));
}

test('a call says where its tool is from, how it ended, how long it took, and that it was late', () => {
  const call = aCall({ source: 'shell', outcome: 'error', duration_s: 0.12, late: true });
  assert.deepEqual(callView(call, '3').facts, ['shell', 'failed', '120 ms', 'late']);
});

test('a call that succeeded does not say so', () => {
  assert.deepEqual(callView(aCall({ outcome: 'ok', duration_s: 1 }), '3').facts, ['1 s']);
});

test('a call without an outcome is in progress', () => {
  const { outcome, facts } = callView(aCall(), '3');
  assert.deepEqual([outcome, facts], ['pending', ['in progress']]);
});

for (const [approval, words] of APPROVALS) {
  test(`what the gate said is told: ${words}`, () => {
    assert.deepEqual(callView(aCall({ outcome: 'ok', approval }), '3').facts, [words]);
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

/** Title and text of each item. */
function told(items: readonly ItemView[]): [string, string][] {
  return items.map(({ title, stretches }) => [title, stretches.map(({ text }) => text).join('')]);
}

test('a model view is a list of texts with their tokens and of media by their hash', () => {
  const image = { sha256: 'ab12'.repeat(16), mime_type: 'image/png', bytes: 31_400 };
  const { items } = viewOf(
    aRecord({
      model_view: [
        { type: 'input_text', text: 'Script completed\nWall time 0.3 seconds\nOutput:\n' },
        { type: 'input_text', text: 'häuser' },
        { type: 'input_image', image, detail: 'high' },
        { type: 'input_audio', audio: { mime_type: 'audio/wav', bytes: 10 } }
      ]
    })
  );
  assert.deepEqual(told(items), [
    ['1 · header · 12 tokens', 'Script completed\nWall time 0.3 seconds\nOutput:\n'],
    ['2 · 2 tokens', 'häuser'],
    ['3', 'Image · image/png · 31 kB · detail high · SHA-256 ab12ab12ab12…'],
    ['4', 'Sound · audio/wav · 10 bytes']
  ]);
  assert.deepEqual(
    items.map(({ kind, sha256 }) => [kind, sha256 !== undefined]),
    [
      ['text', false],
      ['text', false],
      ['image', true],
      ['audio', false]
    ]
  );
});

test('a model view that is a string is one text', () => {
  const { items } = viewOf(aRecord({ model_view: 'aborted' }));
  assert.deepEqual(told(items), [['1 · 2 tokens', 'aborted']]);
});

test('a notification names its cell', () => {
  const { notifications } = viewOf(
    aRecord({ notifications: [{ text: 'half way' }, { text: 'done', cell_id: '2' }] })
  );
  assert.deepEqual(told(notifications), [
    ['from cell 3 · 2 tokens', 'half way'],
    ['from cell 2 · 1 token', 'done']
  ]);
});

test('what was cut out of a text is marked', () => {
  const text = 'Warning: truncated output (original token count: 900)\n\na…800 tokens truncated…z';
  const { items } = viewOf(aRecord({ truncated: true, model_view: text }));
  assert.deepEqual(
    items[0]?.stretches.filter(({ isCut }) => isCut).map(stretch => stretch.text),
    ['Warning: truncated output (original token count: 900)', '…800 tokens truncated…']
  );
});

test('what the record has no room for is marked, and what a script made up is not', () => {
  const text = '…8 tokens truncated… (1,200 more characters)';
  const left = viewOf(aRecord({ left_out: { model_view_characters: 1200 }, model_view: text }));
  assert.deepEqual(left.items[0]?.stretches, [
    { text: '…8 tokens truncated', isCut: false },
    { text: '… (1,200 more characters)', isCut: true }
  ]);
  const whole = viewOf(aRecord({ model_view: text }));
  assert.deepEqual(whole.items[0]?.stretches, [{ text, isCut: false }]);
});

test('the whole output is told with its size and the magic that shows it', () => {
  const capture = { state: 'partial', bytes: 31_400, captured_bytes: 2000 } as const;
  assert.deepEqual(
    viewOf(aRecord({ capture: { ...capture, path: 'captures/tmp_a1/cell-3.txt' } })).capture,
    {
      words: '2 kB of 31 kB · its beginning, the rest is lost · captures/tmp_a1/cell-3.txt',
      command: '%view 3 --full',
      file: 'tmp_a1/cell-3.txt'
    }
  );
  assert.deepEqual(viewOf(aRecord({ capture: { state: 'unavailable', bytes: 10 } })).capture, {
    words: '10 bytes · lost'
  });
});

test('a command is offered for ids as kernels give them and for no others', () => {
  assert.equal(wholeOutput('g2:1'), '%view g2:1 --full');
  assert.equal(wholeOutput('1\n%reset'), undefined);
  assert.equal(wholeOutput(''), undefined);
  assert.equal(wholeCall('3', 'tool-1'), '%view 3 --call tool-1');
  assert.equal(wholeCall('3', 'tool-1 %reset'), undefined);
});

test('a call that was cut says how to see all of it', () => {
  const label = 'all of it, while the session lasts';
  assert.equal(partsOf({ cut: true }).get(label), '%view 3 --call tool-1');
  assert.equal(partsOf({}).has(label), false);
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
      'Not recorded: 1 item of the model view, 2 characters of notifications, 3 calls'
    ]
  );
});
