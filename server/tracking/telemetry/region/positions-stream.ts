import type { NatsConnection } from '@nats-io/transport-node';
import { openStream, type RegionConnection, type RegionStream } from '../../../replication/nats/index.ts';

/** ns for which positions stay in the stream: a station that is away for longer misses them. */
const KEPT = 7 * 86_400 * 1e9;

/** The stream of positions that devices sent, in the centre or at the leaf node of a depot. */
export function openPositions(
  open: NatsConnection,
  { subjects, options }: Pick<RegionConnection, 'subjects' | 'options'>,
  depot: string | undefined,
): Promise<RegionStream> {
  const wanted = {
    name: subjects.positionsStream,
    subjects: [...subjects.positions(depot)],
    max_age: KEPT,
    num_replicas: depot === undefined ? options.replicas : 1,
  };
  return openStream(open, wanted, depot ?? options.domain);
}
