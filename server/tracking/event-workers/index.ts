/** The door to event workers. It loads the NATS client: a station outside of a region keeps it closed. */
export { EventIntake } from './event-intake.ts';
export { EventWorker } from './event-worker.ts';
