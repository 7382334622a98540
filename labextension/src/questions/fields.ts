/** How a field of a form is filled in. */
export type FieldKind = 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'list';

/** One property of a form, as a flat JSON Schema has it. */
export interface FormField {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly kind: FieldKind;
  /** What can be chosen; empty where anything can be written. */
  readonly options: readonly unknown[];
  readonly isRequired: boolean;
  /** What is typed must not be shown. */
  readonly isSecret: boolean;
  /** What is filled in at first. */
  readonly initial: string;
}

/** What was filled in, or the first thing that is wrong with it, for the person. */
export type Filled = { readonly content: Record<string, unknown> } | { readonly problem: string };

type Schema = Readonly<Record<string, unknown>>;

/** The fields of a form, in its order. */
export function fieldsOf(form: unknown): FormField[] {
  const schema = asSchema(form);
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(asSchema(schema.properties)).map(([name, property]) =>
    fieldOf(name, asSchema(property), required.includes(name))
  );
}

/** The object that the values (of a box: `true` or `false`) mean. */
export function contentOf(
  fields: readonly FormField[],
  valueOf: (field: FormField) => string
): Filled {
  const content: Record<string, unknown> = {};
  for (const field of fields) {
    const text = valueOf(field).trim();
    if (!text && field.isRequired) {
      return { problem: `${field.title} is missing.` };
    }
    if (!text) {
      continue;
    }
    const value = read(field, text);
    if (value === undefined) {
      return { problem: `${field.title} is no ${PLAIN[field.kind]}.` };
    }
    content[field.name] = value;
  }
  return { content };
}

const PLAIN: Record<FieldKind, string> = {
  text: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'yes or no',
  choice: 'choice',
  list: 'list'
};

function fieldOf(name: string, schema: Schema, isRequired: boolean): FormField {
  const options = optionsOf(schema);
  return {
    name,
    title: text(schema.title) || name,
    description: text(schema.description),
    kind: options.length ? 'choice' : kindOf(schema.type),
    options,
    isRequired,
    isSecret: schema.format === 'password' || schema.writeOnly === true,
    initial: isPlain(schema.default) ? String(schema.default) : ''
  };
}

function optionsOf(schema: Schema): readonly unknown[] {
  if (Array.isArray(schema.enum)) {
    return schema.enum;
  }
  const alternatives: unknown[] = Array.isArray(schema.oneOf) ? schema.oneOf : [];
  return alternatives.map(part => asSchema(part).const).filter(value => value !== undefined);
}

function kindOf(type: unknown): FieldKind {
  if (type === 'array') {
    return 'list';
  }
  return type === 'number' || type === 'integer' || type === 'boolean' ? type : 'text';
}

function read(field: FormField, value: string): unknown {
  switch (field.kind) {
    case 'text':
      return value;
    case 'list':
      return value
        .split(',')
        .map(part => part.trim())
        .filter(part => part);
    case 'boolean':
      return value === 'true';
    case 'choice':
      return field.options.find(option => String(option) === value);
    case 'number':
    case 'integer': {
      const number = Number(value);
      const fits = field.kind === 'integer' ? Number.isInteger(number) : Number.isFinite(number);
      return fits ? number : undefined;
    }
  }
}

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? (value as Schema) : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
