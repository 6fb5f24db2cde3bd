/** The door to a region. It loads the NATS client: a station outside of a region keeps it closed. */
export { RegionReplication } from './region.ts';
export { RegionSessions } from './region-sessions.ts';
export { takeRecords } from './taken-records.ts';
