import type { Bounds } from '../../../../shared/geo/bounds.ts';
import type { Growing } from './growing.ts';
import type { ThingList } from './thing-list.ts';

/** Things that were read, in input order. */
interface ReadThings {
  readonly nodes: ThingList;
  readonly ways: ThingList;
  readonly relations: ThingList;
  /** 1e-7 degrees */
  readonly lat: Growing<Int32Array>;
  readonly lon: Growing<Int32Array>;
  readonly refEnd: Growing<Uint32Array>;
  readonly refs: Growing<Float64Array>;
  readonly memberEnd: Growing<Uint32Array>;
  readonly memberType: Growing<Uint8Array>;
  readonly memberId: Growing<Float64Array>;
}

interface Kept {
  /** Positions in ascending order of id. */
  readonly nodeOrder: Uint32Array;
  readonly wayOrder: Uint32Array;
  readonly relationOrder: Uint32Array;
  /** How many were dropped. */
  readonly foreign: number;
}

/**
 * Changes of a larger region, or of the whole world, include other places. Created things stay if they are a
 * node in one of the boxes, a way with a node of the extract, a relation with a member of it, or a node of
 * such a way.
 */
export function dropForeign(read: ReadThings, boxes: readonly Bounds[]): Kept {
  const nodes = read.nodes.order();
  const ways = read.ways.order();
  const relations = read.relations.order();
  const outside = idsAt(read.nodes, nodes.made, (position) => !isWithin(boxes, read.lat, read.lon, position));
  if (outside.size === 0 && ways.made.size === 0 && relations.made.size === 0)
    return { nodeOrder: nodes.order, wayOrder: ways.order, relationOrder: relations.order, foreign: 0 };

  const nodeIds = idSet(read.nodes, nodes.order);
  const foreignWays = idsAt(read.ways, ways.made, (position) =>
    refsOf(read, position).every((id) => !nodeIds.has(id) || outside.has(id)),
  );
  for (const position of ways.order)
    if (read.ways.isChange(position) && !foreignWays.has(read.ways.ids.values[position]!))
      for (const id of refsOf(read, position)) outside.delete(id);

  const wayIds = idSet(read.ways, ways.order);
  const relationIds = idSet(read.relations, relations.order);
  const madeRelations = idsAt(read.relations, relations.made, () => true);
  const foreignRelations = idsAt(read.relations, relations.made, (position) => {
    const start = position === 0 ? 0 : read.memberEnd.values[position - 1]!;
    for (let m = start; m < read.memberEnd.values[position]!; m++) {
      const id = read.memberId.values[m]!;
      const type = read.memberType.values[m]!;
      if (type === 0 && nodeIds.has(id) && !outside.has(id)) return false;
      if (type === 1 && wayIds.has(id) && !foreignWays.has(id)) return false;
      if (type === 2 && relationIds.has(id) && !madeRelations.has(id)) return false;
    }
    return true;
  });
  return {
    nodeOrder: without(read.nodes, nodes.order, outside),
    wayOrder: without(read.ways, ways.order, foreignWays),
    relationOrder: without(read.relations, relations.order, foreignRelations),
    foreign: outside.size + foreignWays.size + foreignRelations.size,
  };
}

function isWithin(
  boxes: readonly Bounds[],
  lat: Growing<Int32Array>,
  lon: Growing<Int32Array>,
  position: number,
): boolean {
  const [x, y] = [lon.values[position]! / 1e7, lat.values[position]! / 1e7];
  return boxes.some(([west, south, east, north]) => x >= west && x <= east && y >= south && y <= north);
}

function refsOf({ refs, refEnd }: ReadThings, position: number): Float64Array {
  return refs.values.subarray(position === 0 ? 0 : refEnd.values[position - 1]!, refEnd.values[position]!);
}

/** Ids of those at these positions of which `is` is true. */
function idsAt(list: ThingList, positions: Iterable<number>, is: (position: number) => boolean): Set<number> {
  const ids = new Set<number>();
  for (const position of positions) if (is(position)) ids.add(list.ids.values[position]!);
  return ids;
}

function without(list: ThingList, order: Uint32Array, dropped: ReadonlySet<number>): Uint32Array {
  return dropped.size === 0 ? order : order.filter((position) => !dropped.has(list.ids.values[position]!));
}

/** Looks ids up in an order without a copy of them. */
function idSet({ ids }: ThingList, order: Uint32Array): { has(id: number): boolean } {
  return {
    has(id) {
      let low = 0;
      let high = order.length - 1;
      while (low <= high) {
        const middle = (low + high) >>> 1;
        const found = ids.values[order[middle]!]!;
        if (found === id) return true;
        if (found < id) low = middle + 1;
        else high = middle - 1;
      }
      return false;
    },
  };
}
