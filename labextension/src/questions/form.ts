import { element } from '../record/element';
import { contentOf, fieldsOf } from './fields';
import type { Filled, FormField } from './fields';

type Input = HTMLInputElement | HTMLSelectElement;

/** The fields of a form on the page. */
export class FormView {
  constructor(form: unknown) {
    this._fields = fieldsOf(form);
    for (const field of this._fields) {
      const input = inputFor(field);
      this._inputs.set(field, input);
      const title = field.isRequired ? `${field.title} *` : field.title;
      const label = element('label', 'codemode-question-field', title, input);
      label.title = field.description;
      this.element.append(label);
    }
  }

  readonly element = element('div', 'codemode-question-form');

  /** What is filled in now. */
  get filled(): Filled {
    return contentOf(this._fields, field => {
      const input = this._inputs.get(field);
      return input instanceof HTMLInputElement && input.type === 'checkbox'
        ? String(input.checked)
        : (input?.value ?? '');
    });
  }

  private readonly _fields: readonly FormField[];
  private readonly _inputs = new Map<FormField, Input>();
}

function inputFor(field: FormField): Input {
  if (field.kind === 'choice') {
    const options = field.options.map(option => new Option(String(option), String(option)));
    const select = element('select', '', ...(field.isRequired ? [] : [new Option('', '')]));
    select.append(...options);
    select.value = field.initial || (field.isRequired ? String(field.options[0]) : '');
    return select;
  }
  const input = element('input', '');
  input.type = field.kind === 'boolean' ? 'checkbox' : field.isSecret ? 'password' : 'text';
  input.checked = field.initial === 'true';
  if (field.kind === 'list') {
    input.placeholder = 'values with commas between them';
  }
  if (field.kind !== 'boolean') {
    input.value = field.initial;
  }
  return input;
}
