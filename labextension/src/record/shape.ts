/** Says whether a JSON value has the shape that its name promises. */
export type Guard = (value: unknown) => boolean;

/**
 * A guard for every field of `T`, so that the compiler asks for one when the schema gains a field.
 * Fields that may be absent take a guard made by `optional`.
 */
export type Shape<T> = { readonly [Field in keyof T]-?: Guard };

export const text: Guard = value => typeof value === 'string';
export const amount: Guard = value => typeof value === 'number' && Number.isFinite(value);
export const flag: Guard = value => typeof value === 'boolean';
export const anything: Guard = () => true;

export function oneOf(...allowed: readonly unknown[]): Guard {
  return value => allowed.includes(value);
}

export function optional(guard: Guard): Guard {
  return value => value === undefined || guard(value);
}

export function either(...guards: readonly Guard[]): Guard {
  return value => guards.some(guard => guard(value));
}

export function listOf(guard: Guard): Guard {
  return value => Array.isArray(value) && value.every(guard);
}

/** Fields that the shape does not name are let pass: later minor changes may add some. */
export function object<T>(shape: Shape<T>): Guard {
  const guards = Object.entries<Guard>(shape);
  return value => isObject(value) && guards.every(([field, guard]) => guard(value[field]));
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
