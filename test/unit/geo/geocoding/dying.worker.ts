import { parentPort } from 'node:worker_threads';
import type { GeocodeRequest } from '../../../../server/geo/geocoding/geocoder.ts';
import type { WorkerRequest as Sent } from '../../../../server/platform/threads/worker-client.ts';

/** The search's own worker, which ends, throws or hangs when it is asked to. */
const port = parentPort!;
const listen = port.on.bind(port) as (event: string, take: (message: unknown) => void) => typeof port;
port.on = ((event: string, take: (message: unknown) => void) =>
  listen(event, (message) => {
    const { request: asked } = message as Sent<GeocodeRequest>;
    const query = asked.kind === 'search' ? asked.query.query : '';
    if (query === 'exit') process.exit(1);
    if (query === 'throw') throw new Error('thrown on demand');
    if (query === 'hang') for (;;);
    take(message);
  })) as typeof port.on;
await import('../../../../server/geo/geocoding/geocoder.worker.ts');
