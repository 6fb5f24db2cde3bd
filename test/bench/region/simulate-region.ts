import { MEASURED } from '../../../server/commands/sizing/measured.ts';
import { costOfPosition, planRegion, type RegionSize } from '../../../server/commands/sizing/plan-region.ts';
import { PARTITIONS } from '../../../server/replication/nats/subjects.ts';
import { numbers } from '../../support/chance.ts';

/** What happened at one kind of server while positions came. */
export interface SimulatedStage {
  readonly name: string;
  /** Share of its time that a server worked, or would have had to. */
  readonly load: number;
  /** s that a position waited before it was handled. */
  readonly median: number;
  readonly p99: number;
  /** Positions that had come and were not handled when the time was over, at each server. */
  readonly waiting: number;
}

/** Queues in a row: positions come by chance, are handled in turn, and go on. Handling times are exponential. */
export function simulateRegion(size: RegionSize, seconds: number, seed: number): SimulatedStage[] {
  const chance = numbers(seed);
  const { positions, gateways, partitions } = planRegion(size);
  const kept = Math.max(partitions, Math.ceil(PARTITIONS / size.stations));
  let arrivals = arrivalsOf(positions, seconds, chance);
  const gateway = queue('gateway', arrivals, gateways, MEASURED.gatewayPosition.value, seconds, chance);
  const stream = queue('stream', gateway.departures, 1, MEASURED.serverPosition.value, seconds, chance);
  // One station, with its share of the partitions; every other one has the same.
  arrivals = stream.departures.filter(() => chance() < kept / PARTITIONS);
  const cost = costOfPosition(size.consoles / size.stations);
  const station = queue('station', arrivals, 1, cost, seconds, chance);
  return [gateway.stage, stream.stage, station.stage];
}

function arrivalsOf(rate: number, seconds: number, chance: () => number): Float64Array {
  const arrivals = new Float64Array(Math.ceil(rate * seconds));
  for (let at = 0; at < arrivals.length; at++) arrivals[at] = chance() * seconds;
  return arrivals.sort();
}

/** @param arrivals in order; at each server its own queue, chosen by chance */
function queue(
  name: string,
  arrivals: Float64Array,
  servers: number,
  mean: number,
  seconds: number,
  chance: () => number,
): { stage: SimulatedStage; departures: Float64Array } {
  const freeAt = new Float64Array(servers);
  const departures = new Float64Array(arrivals.length);
  const waits = new Float64Array(arrivals.length);
  let work = 0;
  let waiting = 0;
  for (const [at, arrival] of arrivals.entries()) {
    const server = servers === 1 ? 0 : Math.floor(chance() * servers);
    const begins = Math.max(arrival, freeAt[server]!);
    const time = -Math.log(1 - chance()) * mean;
    freeAt[server] = departures[at] = begins + time;
    waits[at] = begins - arrival;
    work += time;
    if (arrival <= seconds && departures[at]! > seconds) waiting++;
  }
  waits.sort();
  const quantile = (share: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0;
  const stage = {
    name,
    load: work / servers / seconds,
    median: quantile(0.5),
    p99: quantile(0.99),
    waiting: waiting / servers,
  };
  return { stage, departures: departures.sort() };
}
