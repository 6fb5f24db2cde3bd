/** The door to the positions of a region. It loads the NATS client: a station outside of a region keeps it closed. */
export { PositionIntake } from './position-intake.ts';
export { unpackPositions, type PositionEntry } from './position-entry.ts';
export { openPositions } from './positions-stream.ts';
