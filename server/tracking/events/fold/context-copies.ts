import type { LonLat, Shape } from '../../../../shared/geo/shapes.ts';
import type { Validity, VehicleContext } from '../context/vehicle-context.ts';

/** The lists of a context; vehicles share many of them. */
const LISTS = ['measures', 'zones', 'sensors', 'routes', 'requests', 'closures', 'roads', 'crews'] as const;
type List = readonly Validity[];

/** A context whose lists are named by numbers. */
interface SentContext {
  readonly vehicleId: number;
  /** Valid from this time on. */
  readonly from: number;
  readonly settings: VehicleContext['settings'];
  readonly tankLitres: number;
  readonly lists: readonly number[];
}

/**
 * Lists and contexts that the other thread lacks, and lists no longer used. A list with a known number
 * extends it.
 */
export interface ContextUpdate {
  readonly lists: readonly (readonly [number: number, list: List])[];
  readonly contexts: readonly SentContext[];
  readonly dropped: readonly number[];
}

const NOTHING: List = [];

/** Amount copied for another thread in one turn: about 2 ms. */
const PART_WEIGHT = 2_000;
/**
 * Coordinates of a line, copied as consecutive numbers: an array for each position takes twenty times as
 * long.
 */
const LONG_LINE = 64;
const NUMBERS_PER_WEIGHT = 40;

/**
 * The update in parts, one per turn; the contexts and removals come with the last one, when all lists are
 * there.
 */
export function* updateParts({ lists, contexts, dropped }: ContextUpdate): Generator<ContextUpdate> {
  let part: [number, List][] = [];
  let weight = 0;
  for (const [number, list] of lists) {
    let from = 0;
    for (let i = 0; i < list.length; i++) {
      weight += weightOf(list[i]!);
      if (weight < PART_WEIGHT) continue;
      yield { lists: [...part, [number, list.slice(from, i + 1).map(packed)]], contexts: [], dropped: [] };
      [part, weight, from] = [[], 0, i + 1];
    }
    if (from < list.length || list.length === 0) part.push([number, list.slice(from).map(packed)]);
  }
  yield { lists: part, contexts, dropped };
}

/** Zones, closures and routes cost as much as their lines. */
type DrawnRecord = Validity & { readonly shape?: Shape; readonly line?: LonLatLine };
type LonLatLine = readonly LonLat[];

function weightOf(one: DrawnRecord): number {
  return linesOf(one).reduce(
    (sum, line) => sum + (line.length > LONG_LINE ? line.length / NUMBERS_PER_WEIGHT : line.length),
    4,
  );
}

function linesOf({ shape, line = [] }: DrawnRecord): readonly LonLatLine[] {
  return [line, ...(shape?.kind === 'polygon' ? shape.rings : shape?.kind === 'corridor' ? [shape.line] : [])];
}

function packed<T extends Validity>(one: T): T {
  return linesOf(one).some((line) => line.length > LONG_LINE)
    ? withLines(one, (line) =>
        line.length > LONG_LINE ? (Float64Array.from(line.flat()) as unknown as LonLatLine) : line,
      )
    : one;
}

function unpacked<T extends Validity>(one: T): T {
  const isPacked = (line: unknown) => line instanceof Float64Array;
  return linesOf(one).some(isPacked)
    ? withLines(one, (line) =>
        isPacked(line)
          ? Array.from({ length: line.length / 2 }, (_, i) => [line[2 * i], line[2 * i + 1]] as unknown as LonLat)
          : line,
      )
    : one;
}

function withLines<T extends Validity>(one: T, change: (line: LonLatLine) => LonLatLine): T {
  const { shape, line } = one as DrawnRecord;
  const changed =
    shape?.kind === 'polygon'
      ? { ...shape, rings: shape.rings.map(change) }
      : shape?.kind === 'corridor'
        ? { ...shape, line: change(shape.line) }
        : shape;
  return { ...one, ...(shape && { shape: changed }), ...(line && { line: change(line) }) };
}

/** Tracks the contexts of another thread, so that only differences are sent, and shared lists only once. */
export class SentContexts {
  readonly #sent = new Map<
    number,
    { readonly context: VehicleContext; readonly from: number; readonly lists: readonly List[] }
  >();
  /** The number of each list on the other side, and how many contexts use it. */
  readonly #lists = new Map<List, { readonly number: number; contexts: number }>();
  #last = 0;
  #update = emptyUpdate();

  /** Adds a context that is valid from `from` to the next update, unless the other thread has it. */
  add(vehicleId: number, context: VehicleContext, from: number): void {
    const known = this.#sent.get(vehicleId);
    if (known?.context === context && known.from <= from) return;
    const lists = LISTS.map((name) => context[name] ?? NOTHING);
    const numbers = lists.map((list) => this.#take(list));
    for (const list of known?.lists ?? []) this.#leave(list);
    this.#sent.set(vehicleId, { context, from, lists });
    this.#update.contexts.push({
      vehicleId,
      from,
      settings: context.settings,
      tankLitres: context.tankLitres,
      lists: numbers,
    });
  }

  /** The additions since the last update. */
  takeUpdate(): ContextUpdate {
    const update = this.#update;
    this.#update = emptyUpdate();
    return update;
  }

  #take(list: List): number {
    const known = this.#lists.get(list);
    if (known) return (known.contexts++, known.number);
    const number = ++this.#last;
    this.#lists.set(list, { number, contexts: 1 });
    this.#update.lists.push([number, list]);
    return number;
  }

  #leave(list: List): void {
    const known = this.#lists.get(list)!;
    if (--known.contexts > 0) return;
    this.#lists.delete(list);
    this.#update.dropped.push(known.number);
  }
}

function emptyUpdate(): { lists: (readonly [number, List])[]; contexts: SentContext[]; dropped: number[] } {
  return { lists: [], contexts: [], dropped: [] };
}

/** The receiving side. */
export class ReceivedContexts {
  readonly #lists = new Map<number, Validity[]>();
  readonly #contexts = new Map<number, { readonly contextOf: VehicleContext; readonly from: number }>();

  apply({ lists, contexts, dropped }: ContextUpdate): void {
    for (const [number, list] of lists) {
      const known = this.#lists.get(number) ?? [];
      for (const one of list) known.push(unpacked(one));
      this.#lists.set(number, known);
    }
    for (const { vehicleId, from, settings, tankLitres, lists: numbers } of contexts) {
      const its = Object.fromEntries(LISTS.map((name, i) => [name, this.#lists.get(numbers[i]!)!]));
      this.#contexts.set(vehicleId, { from, contextOf: { settings, tankLitres, ...its } as unknown as VehicleContext });
    }
    for (const number of dropped) this.#lists.delete(number);
  }

  /** Throws ContextMissing if the context was not received, or only from a later time on. */
  context(vehicleId: number, from: number): VehicleContext {
    const known = this.#contexts.get(vehicleId);
    if (!known || known.from > from) throw new ContextMissing(from);
    return known.contextOf;
  }
}

/** The context is needed from an earlier time on than was received. */
export class ContextMissing extends Error {
  override readonly name = 'ContextMissing';
  readonly from: number;

  constructor(from: number) {
    super(`The context from ${from} on is not known here.`);
    this.from = from;
  }
}
