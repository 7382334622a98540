import type { ControlMessages } from '../schemas/control.v1.schema';

/** The version of the control messages that this extension speaks. */
export const VERSION = 1;

/** The comm target in the kernel. */
export const TARGET = 'codemode.control';

export type FromFront = ControlMessages['from_front'];
export type FromKernel = ControlMessages['from_kernel'];

/** How the kernel answers a command that it obeys. */
export type Answer = Extract<FromKernel, { type: 'done' | 'capture_piece' }>;

type WithoutId<T> = T extends { id: string } ? Omit<T, 'id'> : never;

/** What can be ordered; the connection gives it its id. */
export type Command = WithoutId<FromFront>;
