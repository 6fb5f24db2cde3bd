export { isLoopbackHost } from './listener/host-names.ts';
export { startInterface } from './interface.ts';
export type { Interface, InterfaceOptions } from './interface.ts';
export { CannotListen } from './listener/listen.ts';
export type { DeclaredRoute } from './app/route.ts';
export type { Rooms } from './routes.ts';
export { changePresenter } from './exchange/publish/change-presenter.ts';
