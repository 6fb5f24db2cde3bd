export { openStore } from './open.ts';
export type { StoreOptions } from './open.ts';
export type * from './door.ts';
