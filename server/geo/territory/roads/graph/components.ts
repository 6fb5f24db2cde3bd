import type { Turns } from './turns.ts';

interface Components {
  /** Component by segment. */
  readonly of: Uint32Array;
  /** Arcs in a component. */
  readonly size: Uint32Array;
}

const NONE = 0xffffffff;

/**
 * Strongly connected components of the arcs under the allowed turns, the two directions of a segment taken
 * together. Tarjan's algorithm ("Depth-first search and linear graph algorithms", 1972), with its own stack
 * since roads are longer than the call stack.
 */
export function findComponents(turns: Turns, isOpen: (arc: number) => boolean): Components {
  const arcs = turns.first.length - 1;
  const index = new Uint32Array(arcs).fill(NONE);
  const low = new Uint32Array(arcs);
  const component = new Uint32Array(arcs).fill(NONE);
  const path = new Uint32Array(arcs);
  const cursor = new Uint32Array(arcs);
  const waiting = new Uint32Array(arcs);
  const sizes: number[] = [];
  let visited = 0;
  let waitingLength = 0;

  for (let root = 0; root < arcs; root++) {
    if (index[root] !== NONE || !isOpen(root)) continue;
    let depth = 0;
    path[0] = root;
    cursor[0] = 0;
    index[root] = low[root] = visited++;
    waiting[waitingLength++] = root;
    while (depth >= 0) {
      const arc = path[depth]!;
      const at = cursor[depth]!++;
      // Step 0 goes to the other direction of the same segment, step k over turn k - 1.
      const turn = turns.first[arc]! + at - 1;
      const onward =
        at === 0 ? (isOpen(arc ^ 1) ? arc ^ 1 : arc) : turn < turns.first[arc + 1]! ? turns.head[turn]! : NONE;
      if (onward !== NONE) {
        if (index[onward] === NONE) {
          index[onward] = low[onward] = visited++;
          waiting[waitingLength++] = onward;
          path[++depth] = onward;
          cursor[depth] = 0;
        } else if (component[onward] === NONE) {
          low[arc] = Math.min(low[arc]!, index[onward]!);
        }
        continue;
      }
      if (low[arc] === index[arc]) {
        let size = 0;
        for (;;) {
          const member = waiting[--waitingLength]!;
          component[member] = sizes.length;
          size++;
          if (member === arc) break;
        }
        sizes.push(size);
      }
      if (--depth >= 0) low[path[depth]!] = Math.min(low[path[depth]!]!, low[arc]!);
    }
  }
  const of = new Uint32Array(arcs / 2);
  for (let segment = 0; segment < of.length; segment++)
    of[segment] = component[segment * 2] === NONE ? component[segment * 2 + 1]! : component[segment * 2]!;
  return { of, size: Uint32Array.from(sizes) };
}
