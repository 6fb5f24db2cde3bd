export { Closures } from './closures.ts';
export type { ClosuresOptions, Obey } from './closures.ts';
export type { ClosureOrder } from './closure-order.ts';
