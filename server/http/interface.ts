import { join } from 'node:path';
import { VehicleFills } from '../dispatch/fleet/index.ts';
import type { IncomingMessage, RequestListener } from 'node:http';
import { randomBytes } from 'node:crypto';
import { BlockList } from 'node:net';
import { CloseStack } from '../platform/close-stack.ts';
import { networksOf } from '../platform/networks.ts';
import { SOCKET_PATH } from '../replication/sync/index.ts';
import { presentAlarm } from './events/alarms.ts';
import { Refusal } from '../../shared/refusal.ts';
import { createApp } from './app/app.ts';
import { tokenOf } from './app/authenticate.ts';
import { hostNames, tlsPortOf } from './listener/host-names.ts';
import { acmeFiles, AcmeRenewal, type AcmeSettings } from './listener/acme.ts';
import { Certificates, type CertificateFiles } from './listener/certificates.ts';
import { clientAddress, clientFinder, requestIdOf } from './app/client.ts';
import { refusalOfExposed, type TlsPort } from './app/tls-only.ts';
import { Quotas } from './app/quotas.ts';
import { pictureOrigins } from '../../shared/geo/map-provider.ts';
import { consolePages } from './app/console.ts';
import { updatesOf } from './events/events.ts';
import type { StationProxy } from './forward/station-proxy.ts';
import { withSessionsOf, type LearnedSessions } from './app/region-sessions.ts';
import { listen } from './listener/listen.ts';
import type { HttpListener, ListenOptions } from './listener/listen.ts';
import { refuseUpgrade } from './live/closing.ts';
import { Live } from './live/live.ts';
import { linkPresenter } from './sync/link-answer.ts';
import { presentSyncState } from './sync/sync-state-answer.ts';
import { domainMetrics } from './station/domain-metrics.ts';
import { fileCopyMetrics, linkMetrics, mapServiceMetrics } from './sync/metrics.ts';
import { backupMetrics } from './station/backups.ts';
import { Metrics } from './app/metrics.ts';
import type { DeclaredRoute } from './app/route.ts';
import { routesOf } from './routes.ts';
import type { Rooms, StationInfo } from './routes.ts';
import { unknownService, routingRoutes } from './routing/routing.ts';
import { presentImport } from './map/territory.ts';

const HOUR = 3_600_000;

export interface InterfaceOptions extends Omit<StationInfo, 'setUpCode' | 'problems' | 'fingerprint' | 'acmeAnswer'> {
  readonly host: string;
  readonly port: number;
  /** Addresses and networks whose forwarding headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** null: a default port when the station listens beyond its own machine, else no TLS. */
  readonly tlsPort: number | null;
  /** Port that serves routing (area C) only, or null. */
  readonly routerPort: number | null;
  /** Folder with the console's build. */
  readonly pages: string;
  /** Origins whose pages may show the page of citizens in a frame; null: there is no such page. */
  readonly citizensFrame: readonly string[] | null;
  /** Whether a token may stand in the address. */
  readonly tokenInQuery: boolean;
  /** Browsers open names below the station's own over TLS alone, too. */
  readonly strictSubdomains: boolean;
  /** Points of costly questions that one user or address may ask a minute. */
  readonly costPerMinute: number;
  /** The data directory, whose sizes `/metrics` tells. */
  readonly directory: string;
  /** Folder of the station's certificate and key. */
  readonly certificates: string;
  /** The administrator's own certificate; undefined: the station makes one. */
  readonly certificateFiles: CertificateFiles | undefined;
  /** An authority that signs the certificate; undefined: none. */
  readonly acme: AcmeSettings | undefined;
  /** Largest accepted upload, in bytes. */
  readonly largestUpload: number;
  /** Checks every answer against its schema. For tests. */
  readonly checkAnswers?: boolean | undefined;
  /** Set at a console server: answers what is not in its copy. */
  readonly proxy: StationProxy | undefined;
  /** undefined: the station is in no region. */
  readonly regionSessions: LearnedSessions | undefined;
}

export interface Interface {
  readonly main: HttpListener;
  readonly secure: HttpListener | undefined;
  readonly router: HttpListener | undefined;
  readonly routes: readonly DeclaredRoute[];
  /** For the first-run page, if the system cannot tell where the caller is. */
  readonly setUpCode: string;
  /** SHA-256 fingerprint of the certificate of `secure`. */
  readonly fingerprint: string | undefined;
  /** The certificate of `secure` and its key, as PEM. */
  readonly certificate: { readonly cert: string; readonly key: string } | undefined;
  /** Looks at the files of the certificate. Never rejects. */
  reloadCertificate(): Promise<void>;
  /** Waits for running requests, then closes every connection. */
  stop(): Promise<void>;
}

/** Serves the rooms over HTTP and WebSocket. If one port is not available, closes all of them and rejects. */
export async function startInterface(rooms: Rooms, options: InterfaceOptions): Promise<Interface> {
  const { accounts, fleet, tasks, store, events, alarms, territory, log, links } = rooms;
  const metrics = new Metrics();
  domainMetrics(metrics, rooms, { directory: options.directory, version: options.version, now: options.now });
  metrics.gauge(
    'waypost_audit_waiting',
    'Entries of the audit trail that the syslog receiver does not have yet.',
    () => rooms.forwarder?.waiting ?? 0,
  );
  metrics.gauge(
    'waypost_audit_skipped',
    'Entries of the audit trail that were never sent to the syslog receiver: too many waited.',
    () => rooms.forwarder?.skipped ?? 0,
  );
  linkMetrics(metrics, links, options.now);
  fileCopyMetrics(metrics, rooms.fileCopies);
  mapServiceMetrics(metrics, rooms.mapServices?.counts);
  backupMetrics(metrics, rooms.backups);
  const presentLink = linkPresenter(links, options.now);
  const live = new Live({
    authenticate: (token) => accounts.authenticate(token),
    renew: (caller) => accounts.renew(caller),
    fleet,
    feed: store.feed,
    units: tasks.units,
    router: rooms.planner,
    rules: () => tasks.rules(),
    tasks: {
      maySee: (caller, id) => {
        const task = tasks.stored(id);
        return task !== undefined && tasks.maySee(caller, task);
      },
      onChange: (listener) =>
        store.records('tasks').watch((changes) => listener(changes.map(({ record }) => record.id))),
    },
    now: options.now,
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
  stack.defer(rooms.warnings.onChange(() => live.broadcast('WARNINGS', {})));
  stack.use(live);
  metrics.gauge('waypost_sockets', 'Consoles and programs that are connected to /ws.', () => live.size);
  const fills = stack.use(new VehicleFills(store));
  const setUpCode = randomBytes(9).toString('base64url');
  let certificates: Certificates | undefined;
  let acme: AcmeRenewal | undefined;
  const acmeFolder = join(options.certificates, 'acme');
  const routes = routesOf(
    rooms,
    {
      ...options,
      setUpCode,
      problems: () => [...(certificates?.problems() ?? []), ...(acme?.problems() ?? [])],
      fingerprint: () => certificates?.fingerprint ?? null,
      acmeAnswer: (token) => acme?.answer(token),
    },
    metrics,
    fills,
  );
  metrics.gauges('waypost_certificate_end_timestamp_seconds', 'When the TLS certificate ends.', () =>
    certificates ? [{ labels: {}, value: Math.floor(certificates.until / 1000) }] : [],
  );
  const logger = log.logger('http');
  const tellProxy = atMostEvery(HOUR, (address: string) =>
    logger.warn(
      `A proxy at ${address} passes requests on that http.trustedProxies does not name: limits and lock-outs count all its clients as one address.`,
    ),
  );
  const findClient = clientFinder(networksOf(options.trustedProxies) ?? new BlockList(), tellProxy);
  const quotas = new Quotas(options.costPerMinute);
  let secure: HttpListener | undefined;
  const securePort = () => secure?.port;
  const appOf = (
    wanted: readonly DeclaredRoute[],
    rest: ReturnType<typeof consolePages>,
    tlsPort?: TlsPort,
  ): RequestListener =>
    createApp({
      routes: wanted,
      rest,
      findClient,
      tlsPort,
      quotas,
      tokenInQuery: options.tokenInQuery,
      strictTransport: () => certificates?.isSelfMade === false && (options.strictSubdomains ? 'subdomains' : true),
      authenticate: (token) => accounts.authenticate(token),
      authenticateCrew: (token) => rooms.crews.authenticate(token),
      record: (draft) => rooms.audit.record(draft),
      recordRefused: (draft) => rooms.audit.recordOrMiss(draft),
      refusesChanges: () => store.readOnly,
      passOn: options.proxy && ((route, request, response) => options.proxy!.pass(route, request, response)),
      reportBug: (id, error) => logger.error(`A bug: a request failed as ${id}.`, error),
      observe: (request, response, pattern, seconds) => {
        metrics.answered(request.method, pattern, response.statusCode, seconds);
        logger.debug(
          `${requestIdOf(request)} ${clientAddress(request)} ${request.method} ${withoutToken(request.originalUrl)} ${response.statusCode} ${Math.round(seconds * 1000)} ms`,
        );
      },
      checkAnswers: options.checkAnswers === true,
    });
  const withSessions = withSessionsOf(options.regionSessions, accounts.tokens);
  const open = async (app: RequestListener, where: ListenOptions): Promise<HttpListener> => {
    const listening = await listen(withSessions(app), { ...where, largestUpload: options.largestUpload });
    stack.defer(() => listening.stop());
    return listening;
  };
  try {
    const { host } = options;
    const app = appOf(
      routes,
      consolePages(options.pages, options.citizensFrame, () => pictureOrigins(accounts.organizations.all())),
      securePort,
    );
    const tlsPort = tlsPortOf(options);
    if (tlsPort !== null)
      certificates = stack.use(
        await Certificates.open({
          directory: options.certificates,
          names: hostNames(host),
          files: options.acme ? acmeFiles(acmeFolder) : options.certificateFiles,
          now: options.now,
          log: logger,
        }),
      );
    const onUpgrade: ListenOptions['onUpgrade'] = (request, socket, head) => {
      findClient(request);
      // Links between stations have a rule of their own.
      if (pathOf(request) === SOCKET_PATH) return links.upgrade(request, socket, head);
      const refusal = refusalOfExposed(request, securePort);
      if (refusal) return refuseUpgrade(socket, 403, 'Forbidden', refusal);
      if (!options.tokenInQuery && tokenOf(request)?.from === 'query')
        return refuseUpgrade(socket, 403, 'Forbidden', new Refusal('request.tokenInQuery'));
      withSessions(() => live.upgrade(request, socket, head))(request);
    };
    const main = await open(app, { host, port: options.port, onUpgrade });
    secure =
      tlsPort === null
        ? undefined
        : await open(app, { host, port: tlsPort, onUpgrade, certificate: certificates!.current });
    stack.defer(certificates?.onChange((shown) => secure?.show(shown)) ?? (() => undefined));
    if (options.acme && certificates) {
      const renewed = () => certificates?.reload();
      acme = AcmeRenewal.start({ ...options.acme, folder: acmeFolder, now: options.now, log: logger, renewed });
      stack.defer(() => acme?.close());
    }
    // Old clients of this port expect no limit on the distance to a road.
    const anonymous = options.anonymousRouting;
    const oldRoutes = routingRoutes(rooms.planner, { anonymous, snapLimit: Infinity });
    const router =
      options.routerPort === null
        ? undefined
        : await open(appOf(oldRoutes, unknownService), { host, port: options.routerPort });
    stack.defer(() => rooms.crews.release());
    stack.defer(() => rooms.outbox.release());
    return {
      main,
      secure,
      router,
      routes,
      setUpCode,
      get fingerprint() {
        return certificates?.fingerprint;
      },
      get certificate() {
        return certificates?.current;
      },
      reloadCertificate: async () => certificates?.reload(),
      stop: () => stack.close(),
    };
  } catch (error) {
    await stack.close();
    throw error;
  }
}

/** Passes a call on to `work` at most once in so many milliseconds. */
function atMostEvery<T extends unknown[]>(least: number, work: (...args: T) => void): (...args: T) => void {
  let last = -Infinity;
  return (...args) => {
    if (performance.now() - last < least) return;
    last = performance.now();
    work(...args);
  };
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?')[0]!;
}

/** Removes tokens, which must never reach a log. */
function withoutToken(url: string): string {
  return url.replace(/([?&]token=)[^&]*/gi, '$1…').slice(0, 2000);
}
