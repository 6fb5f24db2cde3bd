/** The door for a gateway, which has no tracks: it loads neither a database nor the records of a station. */
export { listenOnPorts, type DevicePorts } from './device-listeners.ts';
export { RegionGateway } from './region/region-gateway.ts';
