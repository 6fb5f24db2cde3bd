import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../server/http/app.ts';
import { otherServices, routingRoutes } from '../../server/http/routing.ts';
import type { RoutingOptions } from '../../server/http/routing.ts';
import type { Planner } from '../../server/routing/index.ts';

/** What nobody expected to go wrong, on any of the servers below. */
export const bugs: unknown[] = [];

/** Area C alone, as `--router-port` has it; every answer is compared with what the documentation says of it. */
export async function serveAreaC(planner: Planner, options: RoutingOptions = {}): Promise<{ server: Server; base: string }> {
  const app = createApp({ routes: routingRoutes(planner, options), authenticate: () => undefined, reportBug: (_, error) => bugs.push(error), checkAnswers: true, rest: otherServices });
  const server = createServer({ maxHeaderSize: 65536 }, app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
