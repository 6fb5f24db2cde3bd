import { jetstream, jetstreamManager, JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import type { JetStreamClient, JetStreamManager, StreamConfig, StreamInfo } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

/** A stream of the region, and the clients of it. */
export interface RegionStream {
  readonly name: string;
  /** Another one when the stream was deleted and made again: positions in it do not hold then. */
  readonly epoch: string;
  /** Sequence of its last entry when it was opened. */
  readonly last: number;
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
}

type WantedStream = Partial<StreamConfig> & Pick<StreamConfig, 'name' | 'num_replicas'>;

/** ms to wait for an answer of the servers: a cluster may be electing its leader. */
const TIMEOUT = 5_000;

/**
 * Opens the stream, and makes it if it is missing. Copies are added where there are fewer than wanted.
 * @param domain the JetStream domain that holds it; undefined: that of the server
 */
export async function openStream(
  connection: NatsConnection,
  wanted: WantedStream,
  domain?: string,
): Promise<RegionStream> {
  const options = { timeout: TIMEOUT, ...(domain !== undefined && { domain }) };
  const manager = await jetstreamManager(connection, options);
  const info = await openOrMake(manager, wanted);
  return {
    name: wanted.name,
    epoch: info.created,
    last: info.state.last_seq,
    client: jetstream(connection, options),
    manager,
  };
}

async function openOrMake(manager: JetStreamManager, wanted: WantedStream): Promise<StreamInfo> {
  try {
    const found = await manager.streams.info(wanted.name);
    if (found.config.num_replicas >= wanted.num_replicas) return found;
    return await manager.streams.update(wanted.name, { ...found.config, num_replicas: wanted.num_replicas });
  } catch (error) {
    if (!hasCode(error, JetStreamApiCodes.StreamNotFound)) throw error;
  }
  try {
    return await manager.streams.add(wanted);
  } catch (error) {
    // Another station made it meanwhile, perhaps with other settings.
    return manager.streams.info(wanted.name).catch(() => Promise.reject(error as Error));
  }
}

/** The current epoch of the stream; undefined: there is none. */
export async function epochOf({ name, manager }: RegionStream): Promise<string | undefined> {
  try {
    return (await manager.streams.info(name)).created;
  } catch (error) {
    if (hasCode(error, JetStreamApiCodes.StreamNotFound)) return undefined;
    throw error;
  }
}

/** Whether an entry was refused because its subject has a newer one than expected. */
export function wrongLastSequence(error: unknown): boolean {
  return (
    hasCode(error, JetStreamApiCodes.StreamWrongLastSequence) ||
    hasCode(error, JetStreamApiCodes.StreamWrongLastSequenceUnknown)
  );
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}
