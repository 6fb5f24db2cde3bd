import { VehicleFills } from '../fleet/index.ts';
import type { IncomingMessage, RequestListener } from 'node:http';
import { CloseStack } from '../platform/close-stack.ts';
import { SOCKET_PATH } from '../sync/index.ts';
import { presentAlarm } from './events/alarms.ts';
import { createApp } from './app/app.ts';
import { hostNames, tlsPortOf } from './listener/host-names.ts';
import { fingerprintOf, ownCertificate } from './listener/certificate.ts';
import { consolePages } from './app/console.ts';
import { updatesOf } from './events/events.ts';
import { listen } from './listener/listen.ts';
import type { HttpListener, ListenOptions } from './listener/listen.ts';
import { Live } from './live/live.ts';
import { linkPresenter, presentSyncState } from './sync/links.ts';
import { linkMetrics } from './sync/metrics.ts';
import { Metrics } from './app/metrics.ts';
import type { DeclaredRoute } from './app/route.ts';
import { routesOf } from './routes.ts';
import type { Rooms, StationFacts } from './routes.ts';
import { unknownService, routingRoutes } from './routing/routing.ts';
import { presentImport } from './map/territory.ts';

export interface InterfaceOptions extends StationFacts {
  readonly host: string;
  readonly port: number;
  /** null: a default port when the station listens beyond its own machine, else no TLS. */
  readonly tlsPort: number | null;
  /** Port that serves routing (area C) only; null: none. */
  readonly routerPort: number | null;
  /** Folder with the console's build. */
  readonly pages: string;
  /** Folder of the station's certificate and key. */
  readonly certificates: string;
  /** Largest accepted upload, in bytes. */
  readonly largestUpload: number;
  /** Checks every answer against its schema. For tests. */
  readonly checkAnswers?: boolean | undefined;
}

export interface Interface {
  readonly main: HttpListener;
  readonly secure: HttpListener | undefined;
  readonly router: HttpListener | undefined;
  readonly routes: readonly DeclaredRoute[];
  /** SHA-256 fingerprint of the certificate of `secure`. */
  readonly fingerprint: string | undefined;
  /** Waits for running requests, then closes every connection. */
  stop(): Promise<void>;
}

/** Serves the rooms over HTTP and WebSocket. If one port is not available, closes all of them and rejects. */
export async function startInterface(rooms: Rooms, options: InterfaceOptions): Promise<Interface> {
  const { accounts, fleet, tasks, store, events, alarms, territory, log, links } = rooms;
  const metrics = new Metrics();
  metrics.gauge('waypost_events_waiting', 'Vehicles whose records wait for their events.', () => events.waiting);
  metrics.gauge(
    'waypost_quarantine_let_go',
    'Entries that the quarantine did not keep since the start: too many of one device from one address within an hour.',
    () => rooms.telemetry.quarantineDropped,
  );
  metrics.gauge(
    'waypost_datagrams_let_go',
    'Datagrams of devices that were not handled since the start: of nobody known and unreadable, or too many at once.',
    () => rooms.telemetry.datagramsDropped,
  );
  linkMetrics(metrics, links, options.now);
  const presentLink = linkPresenter(links, options.now);
  const live = new Live({
    authenticate: (token) => accounts.authenticate(token),
    renew: (caller) => accounts.renew(caller),
    fleet,
    feed: store.feed,
    router: rooms.planner,
    rules: () => tasks.rules(),
    sync: {
      state: () => presentSyncState(links.state()),
      links: () => links.all().map(presentLink),
      onChange: (listener) => links.onChange(listener),
    },
  });
  const alarmNames = { fleet, nameOfUser: (id: number) => tasks.users.get(id)?.name ?? '', now: options.now };
  const stack = new CloseStack();
  stack.defer(metrics.watchProcess());
  stack.defer(accounts.tokens.onEnd((tokenId) => live.disconnect(tokenId)));
  stack.defer(events.watch((revised) => live.sendEvents(updatesOf(revised, events.log, fleet))));
  stack.defer(
    alarms.watch((changed) =>
      live.sendAlarms(
        changed.map((alarm) => ({
          record: presentAlarm(alarm, alarmNames),
          maySee: (caller) => alarms.maySee(caller, alarm),
        })),
      ),
    ),
  );
  stack.defer(territory.onProgress((state) => live.broadcast('TERRITORY_PROGRESS', presentImport(state))));
  stack.use(live);
  const fills = stack.use(new VehicleFills(store));
  const routes = routesOf(rooms, options, metrics, fills);
  const logger = log.logger('http');
  const appOf = (wanted: readonly DeclaredRoute[], rest: ReturnType<typeof consolePages>): RequestListener =>
    createApp({
      routes: wanted,
      rest,
      authenticate: (token) => accounts.authenticate(token),
      refusesChanges: () => store.readOnly,
      reportBug: (id, error) => logger.error(`A bug: a request failed as ${id}.`, error),
      observe: (request, response, pattern, seconds) => {
        metrics.answered(request.method, pattern, response.statusCode, seconds);
        logger.debug(
          `${request.method} ${withoutToken(request.originalUrl)} ${response.statusCode} ${Math.round(seconds * 1000)} ms`,
        );
      },
      checkAnswers: options.checkAnswers === true,
    });
  const open = async (app: Parameters<typeof listen>[0], where: ListenOptions): Promise<HttpListener> => {
    const listening = await listen(app, { ...where, largestUpload: options.largestUpload });
    stack.defer(() => listening.stop());
    return listening;
  };
  try {
    const { host } = options;
    const app = appOf(routes, consolePages(options.pages));
    const tlsPort = tlsPortOf(options);
    const certificate =
      tlsPort === null ? undefined : await ownCertificate(options.certificates, hostNames(host), options.now());
    const onUpgrade: ListenOptions['onUpgrade'] = (request, socket, head) =>
      (pathOf(request) === SOCKET_PATH ? links : live).upgrade(request, socket, head);
    const main = await open(app, { host, port: options.port, onUpgrade });
    const secure = tlsPort === null ? undefined : await open(app, { host, port: tlsPort, onUpgrade, certificate });
    // Old clients of this port expect no limit on the distance to a road.
    const anonymous = options.anonymousRouting;
    const oldRoutes = routingRoutes(rooms.planner, { anonymous, snapLimit: Infinity });
    const router =
      options.routerPort === null
        ? undefined
        : await open(appOf(oldRoutes, unknownService), { host, port: options.routerPort });
    return {
      main,
      secure,
      router,
      routes,
      fingerprint: certificate && fingerprintOf(certificate),
      stop: () => stack.close(),
    };
  } catch (error) {
    await stack.close();
    throw error;
  }
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?')[0]!;
}

/** Removes tokens, which must never reach a log. */
function withoutToken(url: string): string {
  return url.replace(/([?&]token=)[^&]*/gi, '$1…').slice(0, 2000);
}
