import { PARTITIONS } from '../../replication/nats/subjects.ts';
import { MEASURED } from './measured.ts';

/** Size of a region: its vehicles, cadence and other loads. */
export interface RegionSize {
  readonly vehicles: number;
  /** All of them, spread evenly over the stations; each follows every vehicle that its station keeps. */
  readonly consoles: number;
  readonly stations: number;
  /** Seconds between two positions of a vehicle. */
  readonly interval: number;
  /** For how many days a station keeps tracks. */
  readonly days: number;
}

/** One thing that is limited: how much of it is needed, and how much there is. */
export interface Resource {
  readonly name: string;
  readonly needed: number;
  readonly available: number;
  readonly unit: string;
  readonly formula: string;
}

export interface RegionPlan {
  readonly size: RegionSize;
  /** Positions a second. */
  readonly positions: number;
  readonly gateways: number;
  readonly servers: number;
  /** Programs that compute events in place of the stations, if any; 0: even one partition is too much for one. */
  readonly workers: number;
  /** Programs that hold the sockets of all consoles in place of the stations, if any; 0: none could. */
  readonly consoleServers: number;
  /** Of the eight partitions of positions, those that one station keeps; 0: it cannot keep a single one. */
  readonly partitions: number;
  /** Bytes. */
  readonly stationMemory: number;
  readonly stationDisk: number;
  readonly serverDisk: number;
  /** The tightest first. */
  readonly resources: readonly Resource[];
}

/** Share of a core that is planned for: above it a queue grows faster than the load. */
export const PLANNED_LOAD = 0.5;
/** Writes of a console: one a minute. */
const WRITES = 1 / 60;
const DAY = 86_400;
/** Days for which positions stay in the stream. */
const STREAM_DAYS = 7;
/** s within which all consoles of a station shall be current after it restarted. */
const CURRENT_WITHIN = 10;
/** Two at least, so that one may fail. */
const LEAST_GATEWAYS = 2;
/** Of workers and of console servers, too. */
const LEAST_SERVERS = 2;
/** A cluster of three keeps working when one fails. */
const SERVERS = 3;

/** The sizing of a region, by the formulas that each resource names. */
export function planRegion(size: RegionSize): RegionPlan {
  const { vehicles, consoles, stations, interval, days } = size;
  const positions = vehicles / interval;
  const gateways = Math.max(LEAST_GATEWAYS, Math.ceil((positions * MEASURED.gatewayPosition.value) / PLANNED_LOAD));
  const perStation = consoles / stations;
  const onePartition = (positions / PARTITIONS) * costOfPosition(perStation);
  const writes = consoles * WRITES * MEASURED.replicatedRecord.value;
  // A region of few stations keeps a partition at one station at least.
  const fewest = Math.ceil(PARTITIONS / stations);
  const fitting = Math.min(PARTITIONS, Math.floor((PLANNED_LOAD - writes) / onePartition));
  const partitions = fitting >= fewest ? fitting : 0;
  const kept = Math.max(partitions, fewest);
  const station = kept * onePartition + writes;
  const share = kept / PARTITIONS;
  return {
    size,
    positions,
    gateways,
    servers: SERVERS,
    workers: workersFor(positions),
    consoleServers: consoleServersFor(size),
    partitions,
    stationMemory: MEASURED.stationMemory.value + vehicles * MEASURED.vehicleMemory.value,
    stationDisk: positions * share * MEASURED.pointBytes.value * DAY * days,
    serverDisk: positions * MEASURED.streamBytes.value * DAY * STREAM_DAYS,
    resources: [
      {
        name: 'station',
        needed: station,
        available: PLANNED_LOAD,
        unit: 'cores',
        formula: `positions x ${kept}/${PARTITIONS} x (stationPosition + consoles/station x consolePosition) + writes`,
      },
      {
        name: 'stream',
        needed: positions * MEASURED.serverPosition.value,
        available: PLANNED_LOAD,
        unit: 'cores',
        formula: 'positions x serverPosition; one stream has one leader',
      },
      {
        name: 'consoles after a restart',
        needed: perStation * vehicles * MEASURED.consoleVehicleFill.value,
        available: CURRENT_WITHIN,
        unit: 's',
        formula: 'consoles/station x vehicles x consoleVehicleFill',
      },
      {
        name: 'gateway',
        needed: (positions / gateways) * MEASURED.gatewayPosition.value,
        available: PLANNED_LOAD,
        unit: 'cores',
        formula: `positions / ${gateways} gateways x gatewayPosition`,
      },
    ].toSorted((a, b) => b.needed / b.available - a.needed / a.available),
  };
}

/** A worker computes for a position the same as a station. Partitions are indivisible: one of eight is the least. */
function workersFor(positions: number): number {
  const each = Math.floor(PLANNED_LOAD / ((positions / PARTITIONS) * costOfPosition(0)));
  return each === 0 ? 0 : Math.max(LEAST_SERVERS, Math.ceil(PARTITIONS / each));
}

/** A console server stores every position, and sends it to each of its consoles. */
function consoleServersFor({ vehicles, consoles, interval }: RegionSize): number {
  const positions = vehicles / interval;
  const byLoad = (PLANNED_LOAD / positions - costOfPosition(0)) / MEASURED.consolePosition.value;
  const byRestart = CURRENT_WITHIN / (vehicles * MEASURED.consoleVehicleFill.value);
  const each = Math.floor(Math.min(byLoad, byRestart));
  return each < 1 ? 0 : Math.max(LEAST_SERVERS, Math.ceil(consoles / each));
}

/** s of processor of a station for a position that it keeps and shows. */
export function costOfPosition(consoles: number): number {
  return MEASURED.stationPosition.value + consoles * MEASURED.consolePosition.value;
}

/** Whether a plan fits; else its first resource is the first to break. */
export function fits({ resources }: RegionPlan): boolean {
  return resources.every(({ needed, available }) => needed <= available);
}

/** The most vehicles that fit, everything else being equal. */
export function mostVehicles(size: RegionSize): number {
  let [low, high] = [0, 100_000_000];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(planRegion({ ...size, vehicles: middle }))) low = middle;
    else high = middle;
  }
  return low;
}
