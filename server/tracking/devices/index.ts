export { DeviceCommands } from './device-commands.ts';
export type { DeviceLink, DeviceLinkEvents } from './device-commands.ts';
export { COMMAND_FAILURES, COMMAND_STATES } from './device-command.ts';
export type { DeviceCommand } from './device-command.ts';
export { TraccarRelay } from './traccar-relay.ts';
export type { CommandRelay, Handover, ReadyDevice, RelayReport } from './command-relay.ts';
