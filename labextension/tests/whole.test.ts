import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Command } from '../src/control/messages';
import { fileName, wholeText } from '../src/output/whole';

test('a whole output is asked for piece by piece, each where the one before ended', async () => {
  const asked: Command[] = [];
  const answers = [
    { text: 'é', next_offset: 2 },
    { text: '€', next_offset: 5 },
    { text: '\n', next_offset: null }
  ];
  const whole = await wholeText(command => {
    const answer = answers[asked.length];
    asked.push(command);
    assert.ok(answer);
    return Promise.resolve({ type: 'output_piece', id: '', ...answer });
  }, 'g2:1');
  assert.equal(await whole.text(), 'é€\n');
  assert.deepEqual(
    asked,
    [0, 2, 5].map(offset => ({ type: 'read_output', output: 'g2:1', offset }))
  );
});

test('a file is named after the cell or the command, whatever its id holds', () => {
  assert.equal(fileName('3'), 'cell-3.txt');
  assert.equal(fileName('g2:1'), 'cell-g2-1.txt');
  assert.equal(fileName('shell-4'), 'shell-4.txt');
  assert.equal(fileName('../x'), 'cell----x.txt');
});
