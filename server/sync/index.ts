export { Links, type LinkOrder, type LinksOptions } from './links/links.ts';
export { LiveLink, type LinkState } from './links/live-link.ts';
export { ChannelClosed } from './links/connection.ts';
export * as linkWire from './links/wire.ts';
export { SOCKET_PATH } from './links/dial.ts';
export { DEFAULT_SETTINGS } from './links/link-table.ts';
export type * from './types.ts';
export { Replication } from './replication/replication.ts';
