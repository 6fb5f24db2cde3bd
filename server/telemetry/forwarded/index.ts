export type { ForwardedRecord } from './forwarded-record.ts';
export { readGpsLogger } from './gpslogger.ts';
export { readOwnTracks } from './owntracks.ts';
export { readTraccar } from './traccar.ts';
