import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { devicePorts, type StationConfig } from '../config/index.ts';
import { leaveControl } from '../control.ts';
import type { Fleet } from '../dispatch/fleet/index.ts';
import type { Logger } from '../log/index.ts';
import { changePresenter, startInterface } from '../http/index.ts';
import { openOrClose } from '../platform/close-stack.ts';
import { Mutex } from '../platform/mutex.ts';
import { PAGES, VERSION } from '../platform/program.ts';
import {
  BrokerIntake,
  openDeviceListeners,
  type DeviceListeners,
  type Telemetry,
  type TraccarReport,
} from '../tracking/telemetry/index.ts';
import type { BackupPart } from './backups.ts';
import type { Dispatch } from './dispatch.ts';
import type { Foundation } from './foundation.ts';
import type { ImportRooms } from './exchange/imports.ts';
import type { Sync } from './sync.ts';
import type { Merging } from './merging.ts';
import type { Publish } from './exchange/publish.ts';
import type { PastPart } from './past.ts';
import { reportSender, type ReportMail } from './reports.ts';
import type { ShiftRooms } from './shifts.ts';
import type { TerritoryRooms } from './territory.ts';
import type { Tracking } from './tracking.ts';
import { openUpdates } from './updates.ts';
import type { WarningRooms } from './exchange/warnings.ts';

/** ms until ports that could not be opened after a promotion are tried again. */
const RETRY_PORTS = 10_000;

/**
 * Opens the ports on which devices send positions, and follows the MQTT broker. A standby does neither, so that
 * trackers keep what they have and continue with the station that leads.
 */
export function openDevicePorts(
  { config, now, log, store }: Foundation,
  { fleet }: Dispatch,
  { telemetry, deviceCommands }: Tracking,
) {
  return openOrClose(async (stack) => {
    const logger = log.logger('telemetry');
    const turns = new Mutex();
    let listeners: DeviceListeners | undefined;
    let broker: BrokerIntake | undefined;
    let retry: NodeJS.Timeout | undefined;
    const close = async () => {
      const open = [listeners, broker];
      listeners = broker = undefined;
      await Promise.all(open.flatMap((each) => each?.close() ?? []));
    };
    const followLeadership = () =>
      turns.run(async () => {
        if (store.readOnly !== undefined) return close();
        if (listeners) return;
        listeners = await openDeviceListeners(
          telemetry,
          (device) => vehicleOfDevice(fleet, device),
          devicePorts(config),
          config.host,
          now,
          (vehicleId, link) => deviceCommands.connected(vehicleId, link),
          aprsServerOf(config, logger),
        );
        for (const [protocol, port] of Object.entries(listeners.ports))
          logger.info(`Listening for ${protocol} devices on port ${port}.`);
        broker = openBrokerIntake(telemetry, config, store.stationId, logger, async (report) => {
          const vehicle = fleet.withDevice({ imei: report.device });
          if (vehicle) await deviceCommands.reported(vehicle.id, report);
        });
      });
    const leadershipChanged = (): void => {
      clearTimeout(retry);
      followLeadership().catch((error: unknown) => {
        logger.error('The ports of devices could not be opened. Retrying in 10 s.', error);
        retry = setTimeout(leadershipChanged, RETRY_PORTS);
        retry.unref();
      });
    };
    stack.defer(() => turns.run(close));
    await followLeadership();
    stack.defer(() => clearTimeout(retry));
    stack.defer(store.onReadOnly(leadershipChanged));
    return {};
  });
}

/** Opens the ports of consoles and programs, and starts the background work that they may see. */
export function openInterface(
  { config, options, now, log, store, audit, forwarder, accounts, provider }: Foundation,
  dispatch: Dispatch,
  tracking: Tracking,
  territoryRooms: TerritoryRooms,
  sync: Sync,
  merging: Merging,
  shifts: ShiftRooms,
  past: PastPart,
  backup: BackupPart,
  publish: Publish,
  imports: ImportRooms,
  outside: WarningRooms,
  reportMail: ReportMail,
) {
  return openOrClose(async (stack) => {
    const updates = stack.use(openUpdates({ config, log }));
    const isConsoleServer = config['serve.role'] === 'consoles';
    const proxy = isConsoleServer ? await stationProxyOf(config) : undefined;
    const http = await startInterface(
      {
        log,
        store,
        audit,
        forwarder,
        accounts,
        provider,
        ...dispatch,
        ...tracking,
        ...territoryRooms,
        links: sync.links,
        regionProblems: () => [...sync.regionProblems(), ...(proxy?.problems() ?? [])],
        fileCopies: sync.fileCopies,
        territoryTransfer: sync.territoryTransfer,
        ...merging,
        ...shifts,
        ...past,
        backups: backup.backups,
        restores: backup.restores,
        ...publish,
        ...imports,
        ...outside,
        ...reportMail,
      },
      {
        name: config.name,
        version: VERSION,
        newerVersion: updates.newerVersion,
        anonymousRouting: config['router.anonymous'],
        citizens: {
          user: config['citizens.user'],
          typeIds: config['citizens.types'],
          perMinute: config['citizens.perMinute'],
          page: config['citizens.page'],
          perHour: config['citizens.perHour'],
        },
        lockMinutes: config['lock.minutes'],
        keepsRecords: config['console.keepsRecords'],
        now,
        host: config.host,
        port: config.port,
        trustedProxies: config['http.trustedProxies'],
        tlsPort: config.tlsPort,
        routerPort: config.routerPort,
        pages: config.pages ?? PAGES,
        citizensFrame: config['citizens.page'] ? config['citizens.embedIn'] : null,
        costPerMinute: config['http.costPerMinute'],
        tokenInQuery: config['http.tokenInQuery'],
        strictSubdomains: config['tls.subdomains'],
        directory: config.data,
        certificates: join(config.data, 'tls'),
        certificateFiles: certificateFilesOf(config),
        acme: acmeOf(config),
        largestUpload: config.uploadLimit * 1_000_000,
        checkAnswers: options.checkAnswers,
        proxy,
        isFilled: () => !isConsoleServer || sync.region.wasFilled(),
        regionSessions: sync.region.sessions,
      },
    );
    stack.defer(() => http.stop());
    await dispatch.conversions.start();
    await dispatch.notices.start();
    publish.webhooks.start(changePresenter({ ...dispatch, alarms: tracking.alarms, now }));
    dispatch.mail.wake();
    const { links } = sync;
    reportMail.reportSchedules.start(
      reportSender(() => links.all(), now),
      (listener) => links.onChange(listener),
    );
    dispatch.sms.start();
    dispatch.telephony.start();
    outside.warnings.start();
    dispatch.mailbox.start(() => http.certificate);
    const address = http.main.addressHere;
    if (!isConsoleServer) backup.backups.start();
    sync.start(http);
    stack.defer(leaveControl(config.data, { address, token: accounts.grantControl(), process: process.pid }));
    return { http, address };
  });
}

function openBrokerIntake(
  telemetry: Telemetry,
  { 'mqtt.url': url, 'mqtt.topics': topics, 'mqtt.authority': authority }: StationConfig,
  stationId: string,
  log: Logger,
  traccarReported: (report: TraccarReport) => Promise<void>,
): BrokerIntake | undefined {
  if (url === null) return undefined;
  return new BrokerIntake(telemetry, {
    ...{ url, topics, log, traccarReported },
    clientId: `waypost-${stationId}`,
    authority: authority ?? undefined,
  });
}

function aprsServerOf({ 'aprs.url': url, 'aprs.filter': filter }: StationConfig, log: Logger) {
  return url === null ? undefined : { url, filter, version: VERSION, log };
}

/** A station does not load the proxy. */
async function stationProxyOf({ 'consoles.stations': stations, 'consoles.authority': authority }: StationConfig) {
  const { StationProxy } = await import('../http/forward/station-proxy.ts');
  return new StationProxy({
    stations,
    authority: authority === null ? undefined : readFileSync(resolve(authority), 'utf8'),
  });
}

function certificateFilesOf({ 'tls.certificate': certificate, 'tls.key': key }: StationConfig) {
  return certificate === null || key === null ? undefined : { certificate: resolve(certificate), key: resolve(key) };
}

function acmeOf(config: StationConfig) {
  const name = config['acme.name'];
  const [email, directory, authority] = [config['acme.email'], config['acme.directory'], config['acme.authority']];
  return name === null ? undefined : { name: name.toLowerCase(), email, directory, authority };
}

/** Finds the vehicle of a device, which names itself by its IMEI or by the number of its unit. */
function vehicleOfDevice(
  fleet: Fleet,
  device: string,
): { id: number; glonassId: number; password: string } | undefined {
  const number = /^\d{1,10}$/.test(device) ? Number(device) : undefined;
  const vehicle =
    fleet.withDevice({ imei: device }) ?? (number === undefined ? undefined : fleet.withDevice({ glonassId: number }));
  return vehicle && { id: vehicle.id, glonassId: vehicle.glonassId, password: vehicle.devicePassword };
}
