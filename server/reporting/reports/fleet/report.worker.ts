import { parentPort } from 'node:worker_threads';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Reason } from '../../../../shared/refusals/reason.ts';
import type { FindAddresses, Spot } from './addresses.ts';
import { makeReport } from './make-report.ts';
import type { ReportOrder } from './report.ts';

/** Makes one report at a time, and each piece only on request, so no faster than it is read. */
export type ReportAsked = ReportOrder | 'more' | { readonly addresses: readonly (string | null)[] };
/** `spots`: their addresses are asked for. */
export type ReportPiece =
  | { readonly piece: Uint8Array }
  | { readonly spots: readonly Spot[] }
  | { readonly end: true }
  | { readonly refused: Reason };

const port = parentPort!;
const say = (answer: ReportPiece) => port.postMessage(answer);
let wanted = 0;
let go: (() => void) | undefined;
let found: ((addresses: readonly (string | null)[]) => void) | undefined;

port.on('message', (asked: ReportAsked) => {
  if (asked !== 'more') return 'addresses' in asked ? found?.(asked.addresses) : void make(asked);
  wanted++;
  go?.();
});

async function more(): Promise<void> {
  while (wanted === 0) await new Promise<void>((resolve) => (go = resolve));
  wanted--;
}

/** The geocoder's thread has the addresses; the station asks it. */
const findAddresses: FindAddresses = (spots) =>
  new Promise((resolve) => {
    found = resolve;
    say({ spots });
  });

/** Any error but a Refusal is a bug, and ends the thread; another one replaces it. */
async function make(order: ReportOrder): Promise<void> {
  wanted = 0;
  try {
    await more();
    for await (const piece of makeReport(order, findAddresses)) {
      say({ piece });
      await more();
    }
    say({ end: true });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    say({ refused: { code: error.code, params: error.params } });
  }
}
