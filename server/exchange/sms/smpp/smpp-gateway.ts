import { createHash } from 'node:crypto';
import type { Pdu } from 'smpp';
import { Refusal } from '../../../../shared/refusal.ts';
import type { GatewayEvents, HandOver, IncomingText, OutgoingText, SmsGateway } from '../gateway.ts';
import { gsmText, segmentsOf, ucs2Text } from '../segments.ts';
import type { SmppSettings } from '../settings.ts';
import { isReceipt, readReceipt, takenId } from './delivery-receipt.ts';
import { SmppSession } from './smpp-session.ts';

interface SmppGatewayOptions {
  readonly settings: SmppSettings;
  readonly login: string;
  readonly secret: string;
  readonly events: GatewayEvents;
  /** Called when the centre can be reached again. */
  readonly reached: () => void;
  readonly report: (error: unknown) => void;
  readonly enquireEvery?: number | undefined;
}

const OK = 0;
/** The centre wants fewer texts, or has no room: ms after which it may want one again. */
const BUSY: Readonly<Record<number, number>> = { 0x58: 2_000, 0x14: 10_000 };
/** The text itself is wrong: its length, its recipient or the recipient's kind. */
const FINAL = [0x01, 0x0b, 0x50, 0x51];
/** Our answer when a text cannot be stored now: the centre sends it again. */
const TEMPORARY = 0x64;
const UNICODE = 8;
const LATIN = 3;
const INTERNATIONAL = 1;
const ALPHANUMERIC = 5;
const TELEPHONE_PLAN = 1;
/** ms until the next try to connect: doubled with each failure. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;

/** A message centre over SMPP 3.4. The connection stands while the gateway is set, so that texts can come in. */
export class SmppGateway implements SmsGateway {
  readonly places = 8;
  problem = '';
  readonly #options: SmppGatewayOptions;
  #session: SmppSession | undefined;
  #pause = FIRST_PAUSE;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: SmppGatewayOptions) {
    this.#options = options;
    void this.#connect();
  }

  parts(text: string): number {
    return segmentsOf(text).parts.length;
  }

  async handOver(text: OutgoingText): Promise<HandOver> {
    const session = this.#session;
    if (!session) return { kind: 'failed', error: this.problem || 'Not connected yet.', pause: 0 };
    const { encoding, parts } = segmentsOf(text.text);
    const common = this.#fieldsFor(text, encoding);
    for (const [index, bytes] of parts.entries()) {
      if (index < text.taken.length) continue;
      const header = Buffer.from([5, 0, 3, referenceOf(text.publicId), parts.length, index + 1]);
      const part = parts.length === 1 ? bytes : { udh: header, message: bytes };
      try {
        const answer = await session.submit({ ...common, short_message: part });
        const status = answer.command_status ?? OK;
        if (status !== OK) return refused(status);
        await text.takenPart(takenId(String(answer['message_id'] ?? '')) || `${text.publicId}/${index}`);
      } catch (error) {
        return { kind: 'failed', error: (error as Error).message, pause: 0 };
      }
    }
    return { kind: 'taken' };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#session?.close();
  }

  async #connect(): Promise<void> {
    const { settings, login, secret, enquireEvery, reached } = this.#options;
    try {
      const delivered = (pdu: Pdu) => this.#take(pdu);
      const session = await SmppSession.open({ settings, login, secret, enquireEvery, delivered });
      if (this.#isClosed) return await session.close();
      this.#session = session;
      this.#pause = FIRST_PAUSE;
      this.problem = '';
      reached();
      this.problem = await session.ended;
    } catch (error) {
      this.problem = (error as Error).message;
    }
    this.#session = undefined;
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#connect(), this.#pause);
    this.#timer.unref();
    this.#pause = Math.min(LONGEST_PAUSE, this.#pause * 2);
  }

  #fieldsFor({ number }: OutgoingText, encoding: 'gsm' | 'ucs2'): Record<string, unknown> {
    const { source } = this.#options.settings;
    const digits = source.replace('+', '');
    const isName = !/^\d*$/.test(digits);
    return {
      source_addr: digits,
      source_addr_ton: isName ? ALPHANUMERIC : source.startsWith('+') ? INTERNATIONAL : 0,
      source_addr_npi: isName || digits === '' ? 0 : TELEPHONE_PLAN,
      destination_addr: number.replace('+', ''),
      dest_addr_ton: number.startsWith('+') ? INTERNATIONAL : 0,
      dest_addr_npi: TELEPHONE_PLAN,
      registered_delivery: 1,
      data_coding: encoding === 'gsm' ? 0 : UNICODE,
    };
  }

  /** A text or a receipt; answered when it is on disk. */
  async #take(pdu: Pdu): Promise<number> {
    const { events, report, settings } = this.#options;
    try {
      const text = textOf(pdu);
      const receipt = {
        esmClass: Number(pdu['esm_class'] ?? 0),
        text,
        receiptedId: pdu['receipted_message_id'] === undefined ? undefined : cString(pdu['receipted_message_id']),
        state: pdu['message_state'] === undefined ? undefined : Number(pdu['message_state']),
      };
      if (isReceipt(receipt)) {
        const said = readReceipt(receipt, settings.reportIds);
        if (said) await events.reported(said);
        return OK;
      }
      const number = cString(pdu['source_addr']);
      if (number !== '')
        await events.received({ number: withPlus(pdu, number), text, gatewayId: '', part: partOf(pdu) });
      return OK;
    } catch (error) {
      if (!(error instanceof Refusal)) report(error);
      return TEMPORARY;
    }
  }
}

function refused(status: number): HandOver {
  const error = `SMPP 0x${status.toString(16).padStart(8, '0')}`;
  if (FINAL.includes(status)) return { kind: 'refused', error };
  return { kind: 'failed', error, pause: BUSY[status] ?? 0 };
}

/** The same for all parts of a text, in every attempt. */
function referenceOf(publicId: string): number {
  return createHash('sha256').update(publicId).digest()[0]!;
}

function withPlus(pdu: Pdu, number: string): string {
  return pdu['source_addr_ton'] === INTERNATIONAL && /^\d/.test(number) ? `+${number}` : number;
}

interface ReadText {
  readonly message?: unknown;
  readonly udh?: readonly Buffer[];
}

const readOf = (pdu: Pdu): ReadText => {
  const [short, payload] = [pdu['short_message'], pdu['message_payload']] as (ReadText | undefined)[];
  const isEmpty = !short?.message || (short.message as string | Buffer).length === 0;
  return (isEmpty && payload ? payload : short) ?? {};
};

/** The package decodes the alphabets that it knows; others arrive as bytes. */
function textOf(pdu: Pdu): string {
  const { message } = readOf(pdu);
  const coding = Number(pdu['data_coding'] ?? 0) & 0x0f;
  if (typeof message === 'string') return message.toWellFormed().replaceAll('\0', '');
  if (!Buffer.isBuffer(message)) return '';
  if (coding === UNICODE) return ucs2Text(message);
  return (coding === LATIN ? message.toString('latin1') : gsmText(message)).replaceAll('\0', '');
}

/** Which part of a longer text it is: by its header, or by optional parameters. */
function partOf(pdu: Pdu): IncomingText['part'] {
  for (const element of readOf(pdu).udh ?? []) {
    const [kind, length, ...rest] = element;
    if (kind === 0 && length === 3 && rest.length === 3) return checked(rest[0]!, rest[1]!, rest[2]!);
    if (kind === 8 && length === 4 && rest.length === 4) return checked(rest[0]! * 256 + rest[1]!, rest[2]!, rest[3]!);
  }
  const [reference, count, index] = ['sar_msg_ref_num', 'sar_total_segments', 'sar_segment_seqnum'].map((name) =>
    Number(pdu[name] ?? 0),
  );
  return checked(reference!, count!, index!);
}

function checked(reference: number, count: number, index: number): IncomingText['part'] {
  return count > 1 && index >= 1 && index <= count ? { reference, count, index } : undefined;
}

function cString(value: unknown): string {
  const text = Buffer.isBuffer(value) ? value.toString('latin1') : typeof value === 'string' ? value : '';
  return text.replace(/\0[^]*$/, '').trim();
}
