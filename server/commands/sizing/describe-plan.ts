import { PARTITIONS } from '../../replication/nats/subjects.ts';
import { MEASURED } from './measured.ts';
import { fits, mostVehicles, type RegionPlan } from './plan-region.ts';

/** A plan as lines for a person: the parts to set up, the tight limits, and the constants behind it. */
export function describePlan(plan: RegionPlan): string {
  const { size, positions, resources } = plan;
  const [tightest] = resources;
  const verdict = fits(plan)
    ? `It fits. With these stations and consoles up to ${whole(mostVehicles(size))} vehicles fit.`
    : `It does not fit. The first limit: ${tightest!.name}. Up to ${whole(mostVehicles(size))} vehicles fit.`;
  return [
    `Vehicles: ${whole(size.vehicles)}, a position every ${size.interval} s. Consoles: ${whole(size.consoles)}. Stations: ${whole(size.stations)}.`,
    verdict,
    '',
    ...table([
      ['positions', `${whole(positions)}/s`, 'vehicles / interval'],
      ['gateways', `${plan.gateways} of ${bytes(MEASURED.gatewayMemory.value)}`, 'at least 2'],
      ['NATS servers', `${plan.servers}`, `${bytes(plan.serverDisk)} of disk each for 7 days: streamBytes x positions`],
      [
        'event workers',
        plan.workers === 0 ? 'a partition is too much for one' : `${plan.workers}, if any`,
        'in place of every station: positions x stationPosition, whole partitions; at least 2',
      ],
      [
        'console servers',
        plan.consoleServers === 0 ? 'too many positions for one' : `${plan.consoleServers}, if any`,
        'positions x (stationPosition + consoles/server x consolePosition); consoles after a restart; at least 2',
      ],
      [
        'each station',
        plan.partitions === 0 ? 'cannot keep its share' : `keeps ${plan.partitions} of ${PARTITIONS} partitions`,
        'WAYPOST_NATS_PARTITIONS',
      ],
      ['', bytes(plan.stationMemory), 'memory, and the territory: stationMemory + vehicles x vehicleMemory'],
      ['', bytes(plan.stationDisk), `disk for ${size.days} days of tracks: pointBytes x positions kept`],
    ]),
    '',
    'Share of each limit, the tightest first:',
    ...table(
      resources.map(({ name, needed, available, unit, formula }) => [
        name,
        `${needed.toPrecision(2)} of ${available} ${unit}`,
        formula,
      ]),
    ),
    '',
    'Measured on two shared cores; an order of magnitude:',
    ...table(
      Object.entries(MEASURED).map(([name, { value, unit, source }]) => [
        name,
        unit === 'bytes' ? bytes(value) : `${Number((value * 1e6).toPrecision(3))} us`,
        source,
      ]),
    ),
  ].join('\n');
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) => `  ${row[0]!.padEnd(widths[0]!)}  ${row[1]!.padEnd(widths[1]!)}  ${row[2]!}`);
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function bytes(value: number): string {
  const [unit, size] = (
    [
      ['TB', 1e12],
      ['GB', 1e9],
      ['MB', 1e6],
      ['kB', 1e3],
    ] as const
  ).find(([, least]) => value >= least) ?? ['bytes', 1];
  return `${Number((value / size).toPrecision(3))} ${unit}`;
}
