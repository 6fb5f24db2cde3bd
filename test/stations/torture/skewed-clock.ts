/**
 * Preloaded into a station (`--import`): its clock is wrong by the milliseconds that stand in the file of
 * `TORTURE_SKEW`, which the torture test rewrites while the station runs.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';

const file = process.env['TORTURE_SKEW'];
const rightNow = Date.now.bind(Date);
let skew = 0;

function read(): void {
  try {
    skew = Number(readFileSync(file!, 'utf8')) || 0;
  } catch {
    // not written yet
  }
}

if (file !== undefined) {
  read();
  setInterval(read, 100).unref();
  Date.now = () => rightNow() + skew;
}
