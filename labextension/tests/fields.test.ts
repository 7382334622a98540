import assert from 'node:assert/strict';
import { test } from 'node:test';

import { contentOf, fieldsOf } from '../src/questions/fields';

const FORM = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Your name', description: 'In full' },
    age: { type: 'integer' },
    size: { type: 'number' },
    sure: { type: 'boolean', default: true },
    colour: { enum: ['red', 5], default: 'red' },
    kind: { oneOf: [{ const: 'a', title: 'A' }] }
  },
  required: ['name']
};

function filled(values: Record<string, string>) {
  return contentOf(fieldsOf(FORM), field => values[field.name] ?? '');
}

test('a form has its fields in order, with how each is filled in', () => {
  const fields = fieldsOf(FORM);
  assert.deepEqual(
    fields.map(({ name, kind }) => [name, kind]),
    [
      ['name', 'text'],
      ['age', 'integer'],
      ['size', 'number'],
      ['sure', 'boolean'],
      ['colour', 'choice'],
      ['kind', 'choice']
    ]
  );
  const [name] = fields;
  assert.deepEqual([name?.title, name?.isRequired], ['Your name', true]);
  assert.equal(fields[1]?.title, 'age');
  assert.equal(fields[3]?.initial, 'true');
  assert.deepEqual(fields[5]?.options, ['a']);
});

test('what is filled in becomes values of the right kinds', () => {
  const values = { name: ' Amy ', age: '41', size: '1.5', sure: 'false', colour: '5', kind: 'a' };
  assert.deepEqual(filled(values), {
    content: { name: 'Amy', age: 41, size: 1.5, sure: false, colour: 5, kind: 'a' }
  });
});

test('a list is written with commas, and a secret is not shown', () => {
  const fields = fieldsOf({
    properties: { tags: { type: 'array' }, pin: { type: 'string', format: 'password' } }
  });
  assert.deepEqual(
    contentOf(fields, ({ name }) => (name === 'tags' ? 'a, b,' : '1234')),
    { content: { tags: ['a', 'b'], pin: '1234' } }
  );
  assert.deepEqual(
    fields.map(field => field.isSecret),
    [false, true]
  );
});

test('what is left empty is left out', () => {
  assert.deepEqual(filled({ name: 'Amy' }), { content: { name: 'Amy' } });
});

test('what is missing or does not fit is told', () => {
  assert.deepEqual(filled({ age: '41' }), { problem: 'Your name is missing.' });
  assert.deepEqual(filled({ name: 'Amy', age: '4.5' }), { problem: 'age is no whole number.' });
  assert.deepEqual(filled({ name: 'Amy', size: 'x' }), { problem: 'size is no number.' });
  assert.deepEqual(filled({ name: 'Amy', colour: 'x' }), { problem: 'colour is no choice.' });
});

test('what is no form has no fields', () => {
  for (const form of [null, 'x', {}, { properties: [] }]) {
    assert.deepEqual(fieldsOf(form), []);
  }
});
