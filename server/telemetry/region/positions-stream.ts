import type { NatsConnection } from '@nats-io/transport-node';
import { openStream, type RegionStream, type Subjects } from '../../nats/index.ts';

/** ns for which positions stay in the stream: a station that is away for longer misses them. */
const KEPT = 7 * 86_400 * 1e9;

/** The stream of what devices sent. */
export function openPositions(connection: NatsConnection, subjects: Subjects, replicas: number): Promise<RegionStream> {
  return openStream(connection, {
    name: subjects.positionsStream,
    subjects: [...subjects.positions()],
    max_age: KEPT,
    num_replicas: replicas,
  });
}
