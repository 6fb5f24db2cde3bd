import { createApp } from '../../../server/http/app/app.ts';
import { listen } from '../../../server/http/listener/listen.ts';
import type { HttpListener } from '../../../server/http/listener/listen.ts';
import { unknownService, routingRoutes } from '../../../server/http/routing/routing.ts';
import type { RoutingOptions } from '../../../server/http/routing/routing.ts';
import type { Planner } from '../../../server/geo/routing/index.ts';

/** What nobody expected to go wrong, on any of the servers below. */
export const bugs: unknown[] = [];

/**
 * Area C alone, as `--router-port` has it; every answer is compared with what the documentation says of it.
 */
export function serveAreaC(planner: Planner, options: RoutingOptions = {}): Promise<HttpListener> {
  const app = createApp({
    routes: routingRoutes(planner, options),
    authenticate: () => undefined,
    reportBug: (_, error) => bugs.push(error),
    checkAnswers: true,
    rest: unknownService,
  });
  return listen(app, { host: '127.0.0.1', port: 0 });
}
