import type { Validity, World } from './world.ts';

/** The lists of a world; vehicles share many of them. */
const LISTS = ['measures', 'zones', 'sensors', 'routes', 'requests', 'closures', 'roads'] as const;
type List = readonly Validity[];

/** A world without its lists, which are named by numbers. */
interface SentWorld {
  readonly vehicleId: number;
  /** It holds what holds from this time on. */
  readonly from: number;
  readonly settings: World['settings'];
  readonly tankLitres: number;
  readonly lists: readonly number[];
}

/** What another thread is to know of worlds: lists and worlds that it does not have yet, and lists that no world has any more. */
export interface WorldNews {
  readonly lists: readonly (readonly [number: number, list: List])[];
  readonly worlds: readonly SentWorld[];
  readonly dropped: readonly number[];
}

const NOTHING: List = [];

/** What another thread was told of worlds, so that it is sent only what differs, and a list that many vehicles share only once. */
export class SentWorlds {
  readonly #sent = new Map<number, { readonly world: World; readonly from: number; readonly lists: readonly List[] }>();
  /** The number of each list that the other side has, and how many worlds have it. */
  readonly #lists = new Map<List, { readonly number: number; worlds: number }>();
  #last = 0;
  #news = noNews();

  /** The next news says, if it is not known already, that a vehicle is in this world, which holds what holds from `from` on. */
  tell(vehicleId: number, world: World, from: number): void {
    const known = this.#sent.get(vehicleId);
    if (known?.world === world && known.from <= from) return;
    const lists = LISTS.map((name) => world[name] ?? NOTHING);
    const numbers = lists.map((list) => this.#take(list));
    for (const list of known?.lists ?? []) this.#leave(list);
    this.#sent.set(vehicleId, { world, from, lists });
    this.#news.worlds.push({ vehicleId, from, settings: world.settings, tankLitres: world.tankLitres, lists: numbers });
  }

  /** What was told since the last news. */
  takeNews(): WorldNews {
    const news = this.#news;
    this.#news = noNews();
    return news;
  }

  #take(list: List): number {
    const known = this.#lists.get(list);
    if (known) return (known.worlds++, known.number);
    const number = ++this.#last;
    this.#lists.set(list, { number, worlds: 1 });
    this.#news.lists.push([number, list]);
    return number;
  }

  #leave(list: List): void {
    const known = this.#lists.get(list)!;
    if (--known.worlds > 0) return;
    this.#lists.delete(list);
    this.#news.dropped.push(known.number);
  }
}

function noNews(): { lists: (readonly [number, List])[]; worlds: SentWorld[]; dropped: number[] } {
  return { lists: [], worlds: [], dropped: [] };
}

/** The other side: worlds as they were told of. */
export class ReceivedWorlds {
  readonly #lists = new Map<number, List>();
  readonly #worlds = new Map<number, { readonly world: World; readonly from: number }>();

  take({ lists, worlds, dropped }: WorldNews): void {
    for (const [number, list] of lists) this.#lists.set(number, list);
    for (const { vehicleId, from, settings, tankLitres, lists: numbers } of worlds) {
      const its = Object.fromEntries(LISTS.map((name, i) => [name, this.#lists.get(numbers[i]!)!]));
      this.#worlds.set(vehicleId, { from, world: { settings, tankLitres, ...its } as unknown as World });
    }
    for (const number of dropped) this.#lists.delete(number);
  }

  /** Throws WorldWanted where it was not told of, or only of a later time. */
  world(vehicleId: number, from: number): World {
    const known = this.#worlds.get(vehicleId);
    if (!known || known.from > from) throw new WorldWanted(from);
    return known.world;
  }
}

/** A world is needed with what holds from an earlier time on than was told. */
export class WorldWanted extends Error {
  override readonly name = 'WorldWanted';
  readonly from: number;

  constructor(from: number) {
    super(`The world from ${from} on is not known here.`);
    this.from = from;
  }
}
