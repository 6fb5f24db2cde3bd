import type { LinkItem } from '../answers.ts';
import type { StationLink } from './station-layout.ts';

/** Node of this station; a linked one has the id of its link. */
export const OWN = 'own';

interface DistantStation {
  readonly name: string;
  /** Names of the linked stations with which it has links. */
  readonly through: readonly string[];
}

interface StationGraph {
  readonly stations: readonly string[];
  /** Own links first; the ids of others begin with `~`. */
  readonly links: readonly StationLink[];
  /** Stations that only others are linked with, by node. */
  readonly distant: ReadonlyMap<string, DistantStation>;
}

/** This station, those that it is linked with, and the links of those among each other and with further ones. */
export function stationGraph(links: readonly Pick<LinkItem, 'id' | 'station' | 'linkedWith'>[]): StationGraph {
  const ordered = links.toSorted((one, other) => one.id - other.id);
  const nodes = new Map(ordered.map(({ id, station }) => [station.id, String(id)]));
  const distant = new Map<string, { readonly name: string; readonly through: string[] }>();
  const between = new Map<string, StationLink>();
  for (const { id, station, linkedWith } of ordered) {
    for (const other of linkedWith) {
      const from = String(id);
      const known = nodes.get(other.id);
      const to = known ?? `~${other.id}`;
      if (known === undefined) {
        const through = distant.get(to)?.through ?? [];
        through.push(station.name);
        distant.set(to, { name: other.name, through });
      }
      const ends = [from, to].sort();
      between.set(ends.join(' '), { id: `~${ends.join(' ')}`, from: ends[0]!, to: ends[1]! });
    }
  }
  return {
    stations: [OWN, ...nodes.values(), ...distant.keys()],
    links: [...[...nodes.values()].map((id) => ({ id, from: OWN, to: id })), ...between.values()],
    distant,
  };
}
