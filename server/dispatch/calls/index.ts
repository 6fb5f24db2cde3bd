export { Calls } from './calls.ts';
export type { CallFilter } from './calls.ts';
export type { CallOrder } from './call.ts';
