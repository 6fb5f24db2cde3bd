import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { UNREACHABLE } from '../routing/index.ts';
import type { ReachAnswer, Table } from '../routing/index.ts';
import { presentArea } from './routing-answers.ts';

/** Cells and positions that are made into text at once: a millisecond. */
const AT_ONCE = 8_000;

/** The answer of `/table` bit by bit: one of 500 x 500 as a whole would hold up everybody for longer than a frame. */
export function streamTable({ times, distances, columns }: Table, withDistances: boolean): Readable {
  return Readable.from(text(async function* () {
    yield '{"status":0,"distance_table":';
    yield* rows(times, columns, String(UNREACHABLE));
    if (withDistances) {
      yield ',"distances":';
      yield* rows(distances, columns, 'null');
    }
    yield '}';
  }));
}

/** The answer of `/isochrone` area by area. */
export function streamAreas({ areas, near, snapped }: ReachAnswer): Readable {
  return Readable.from(text(async function* () {
    const facts = snapped ? { near: Math.round(near), mapped_coordinate: [snapped.lat, snapped.lon] } : { mapped_coordinate: [] };
    yield `${JSON.stringify({ status: snapped ? 0 : 207, type: 'FeatureCollection', ...facts }).slice(0, -1)},"features":[`;
    for (const [i, area] of areas.entries()) {
      yield (i > 0 ? ',' : '') + JSON.stringify(presentArea(area));
      await setImmediate();
    }
    yield ']}';
  }));
}

async function* rows(cells: Int32Array, columns: number, unreachable: string): AsyncGenerator<string> {
  const each = Math.max(1, Math.floor(AT_ONCE / columns));
  yield '[';
  for (let from = 0; from < cells.length; from += columns * each) {
    const some: string[] = [];
    for (let at = from; at < Math.min(cells.length, from + columns * each); at += columns) {
      some.push(`[${Array.from(cells.subarray(at, at + columns), (cell) => (cell === UNREACHABLE ? unreachable : cell)).join(',')}]`);
    }
    yield (from > 0 ? ',' : '') + some.join(',');
    await setImmediate();
  }
  yield ']';
}

async function* text(parts: () => AsyncGenerator<string>): AsyncGenerator<Buffer> {
  for await (const part of parts()) yield Buffer.from(part);
}
