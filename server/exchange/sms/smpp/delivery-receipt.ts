import type { DeliveryReport } from '../gateway.ts';
import type { SmppSettings } from '../settings.ts';

/** States of SMPP 3.4, by their numbers in `message_state` and by their words in a receipt. */
const STATES: Readonly<Record<string, DeliveryReport['state']>> = {
  2: 'delivered',
  3: 'failed',
  4: 'failed',
  5: 'failed',
  8: 'failed',
  DELIVRD: 'delivered',
  EXPIRED: 'failed',
  DELETED: 'failed',
  UNDELIV: 'failed',
  REJECTD: 'failed',
};
/** Bits of `esm_class` that say what a text is, and their value for a receipt. */
const KIND = 0x3c;
const RECEIPT = 0x04;

export interface ReceiptFields {
  readonly esmClass: number;
  readonly text: string;
  /** Of the optional parameters, if present. */
  readonly receiptedId: string | undefined;
  readonly state: number | undefined;
}

export function isReceipt({ esmClass, receiptedId }: ReceiptFields): boolean {
  return (esmClass & KIND) === RECEIPT || receiptedId !== undefined;
}

/** The final state in a receipt; undefined: it has none. Optional parameters win over its text. */
export function readReceipt(
  { text, receiptedId, state }: ReceiptFields,
  ids: SmppSettings['reportIds'],
): DeliveryReport | undefined {
  const id = receiptedId ?? /\bid:\s*([^\s]+)/i.exec(text)?.[1];
  const word = /\bstat:\s*(\w+)/i.exec(text)?.[1]?.toUpperCase();
  const reached = STATES[state ?? ''] ?? STATES[word ?? ''];
  if (id === undefined || reached === undefined) return undefined;
  const code = /\berr:\s*(\w+)/i.exec(text)?.[1];
  const error = reached === 'failed' ? [word, code && `err ${code}`].filter(Boolean).join(', ') : '';
  return { gatewayId: sameId(id, ids), state: reached, error };
}

/** An id of an answer as receipts are looked up by it. */
export function takenId(id: string): string {
  return id.toLowerCase().replace(/^0+(?=.)/, '');
}

/** Some centres write one id in hexadecimal digits in the answer and in decimal ones in the receipt, or the reverse. */
function sameId(id: string, ids: SmppSettings['reportIds']): string {
  if (ids === 'decimal' && /^\d{1,25}$/.test(id)) return BigInt(id).toString(16);
  if (ids === 'hexadecimal' && /^[\da-f]{1,25}$/i.test(id)) return BigInt(`0x${id}`).toString();
  return takenId(id);
}
