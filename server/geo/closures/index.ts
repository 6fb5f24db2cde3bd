export { Closures } from './closures.ts';
export type { ClosuresOptions, ApplyClosures } from './closures.ts';
export type { ClosureOrder } from './closure-order.ts';
