import { UNREACHABLE } from '../types.ts';
import type { AnswerFormat, Table } from '../types.ts';
import { notOnMap } from './not-on-map.ts';

const utf8 = new TextEncoder();
const [ZERO, COMMA, OPEN, CLOSE] = [...utf8.encode('0,[]')] as [number, number, number, number];
/** Maximum bytes of a cell with its separator. */
const CELL = String(UNREACHABLE).length + 1;

/** Encodes the answer of `/table` digit by digit: `JSON.stringify` takes three times as long. */
export function writeTable(
  { times, distances, rows, columns, offMap }: Table,
  withDistances: boolean,
  { jsonp }: AnswerFormat,
): Uint8Array<ArrayBuffer> {
  const status = offMap ? `207,"status_message":"${notOnMap(offMap)}"` : '0';
  const before = `${jsonp === undefined ? '' : `${jsonp}(`}{"status":${status},"distance_table":`;
  const between = ',"distances":';
  const after = jsonp === undefined ? '}' : '})';
  const cells = rows * columns * CELL + rows * 3 + 2;
  const bytes = new Uint8Array(before.length + cells + (withDistances ? between.length + cells : 0) + after.length);
  let at = text(bytes, 0, before);
  at = matrix(bytes, at, times, columns, String(UNREACHABLE));
  if (withDistances) at = matrix(bytes, text(bytes, at, between), distances, columns, 'null');
  return bytes.subarray(0, text(bytes, at, after));
}

function text(bytes: Uint8Array, at: number, ascii: string): number {
  return at + utf8.encodeInto(ascii, bytes.subarray(at)).written;
}

/** Non-negative integers, row by row. Returns the end. */
function matrix(bytes: Uint8Array, from: number, cells: Int32Array, columns: number, unreachable: string): number {
  const none = utf8.encode(unreachable);
  let at = from;
  bytes[at++] = OPEN;
  for (let i = 0; i < cells.length; i++) {
    const column = i % columns;
    if (i > 0) bytes[at++] = COMMA;
    if (column === 0) bytes[at++] = OPEN;
    const cell = cells[i]!;
    if (cell === UNREACHABLE) {
      bytes.set(none, at);
      at += none.length;
    } else {
      at += digits(cell);
      for (let k = at - 1, rest = cell; ; k--) {
        bytes[k] = ZERO + (rest % 10);
        rest = (rest / 10) | 0;
        if (rest === 0) break;
      }
    }
    if (column === columns - 1) bytes[at++] = CLOSE;
  }
  bytes[at++] = CLOSE;
  return at;
}

function digits(whole: number): number {
  let count = 1;
  for (let rest = whole; rest >= 10; rest = (rest / 10) | 0) count++;
  return count;
}
