export { isOwnMachine } from './beyond-loopback.ts';
export { startInterface } from './interface.ts';
export type { Interface, InterfaceOptions } from './interface.ts';
export { CannotListen } from './listen.ts';
export type { Route } from './route.ts';
export type { Rooms } from './routes.ts';
