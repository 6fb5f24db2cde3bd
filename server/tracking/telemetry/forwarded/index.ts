export { forwardedFields, type ForwardedRecord } from './forwarded-record.ts';
export { readGpsLogger } from './gpslogger.ts';
export { readMeshtastic } from './meshtastic.ts';
export { readOwnTracks } from './owntracks.ts';
export { readTraccar, readTraccarReport, type TraccarReport } from './traccar.ts';
