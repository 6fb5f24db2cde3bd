import { record, type DeviceRecord } from './decoder.ts';
import { decimalIn, digitsIn } from './text-numbers.ts';

/** Why a record is invalid, and its code in `#AD#` and `#ASD#`. */
export interface RecordError {
  readonly code: number;
  readonly reason: string;
}

/** Fields of short data (`SD`), and of full data (`D`), which begins with them. */
const SHORT = 10;
const FULL = 16;
const [
  DATE,
  CLOCK,
  LAT,
  LAT_SIDE,
  LON,
  LON_SIDE,
  SPEED,
  COURSE,
  HEIGHT,
  SATS,
  HDOP,
  INPUTS,
  OUTPUTS,
  ADC,
  KEY,
  PARAMS,
] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] as const;
/** Decimals of minutes: the eighth is a micrometre. */
const MAX_DECIMALS = 18;
const MAX_ADC = 64;
const MAX_PARAMS = 200;
const LONGEST_NAME = 38;
const LONGEST_STRING = 1_344;
const [SEMICOLON, COMMA, COLON, POINT] = [59, 44, 58, 46] as const;

/**
 * Parses records in place: a black box has thousands, and copying each field would cost more than all further
 * work. It holds the field positions of one record, so each reader of packets has its own.
 */
export class WialonRecordReader {
  #text = '';
  /** Start of each field of the record, and of one after the last. */
  readonly #begins = new Int32Array(FULL + 1);

  /** A record of a black box, from `from` to `until`; with more fields than short data it is full data. */
  either(text: string, from: number, until: number, now: number): DeviceRecord | RecordError {
    const fields = this.#divide(text, from, until);
    return fields > SHORT ? this.#full(fields, now) : this.#short(fields, now);
  }

  short(text: string, now: number): DeviceRecord | RecordError {
    return this.#short(this.#divide(text, 0, text.length), now);
  }

  full(text: string, now: number): DeviceRecord | RecordError {
    return this.#full(this.#divide(text, 0, text.length), now);
  }

  /** Number of fields. */
  #divide(text: string, from: number, until: number): number {
    this.#text = text;
    this.#begins[0] = from;
    let fields = 0;
    for (let at = from; at < until; at++) {
      if (text.charCodeAt(at) !== SEMICOLON) continue;
      if (++fields <= FULL) this.#begins[fields] = at + 1;
    }
    if (++fields <= FULL) this.#begins[fields] = until + 1;
    return fields;
  }

  #short(fields: number, now: number): DeviceRecord | RecordError {
    if (fields !== SHORT) return { code: -1, reason: `a short record has ${SHORT} fields, this one ${fields}` };
    return this.#position(now);
  }

  #full(fields: number, now: number): DeviceRecord | RecordError {
    if (fields !== FULL) return { code: -1, reason: `a full record has ${FULL} fields, this one ${fields}` };
    const read = this.#position(now);
    if ('code' in read) return read;
    const hdop = this.#decimal(HDOP);
    if (Number.isNaN(hdop)) return { code: 12, reason: `hdop is not a number: ${this.#words(HDOP)}` };
    const inputs = this.#mask(INPUTS);
    const outputs = this.#mask(OUTPUTS);
    if (inputs < 0 || outputs < 0)
      return { code: 13, reason: `inputs or outputs are no bit mask: ${this.#words(INPUTS, OUTPUTS)}` };
    const adc = this.#adc();
    if (!adc) return { code: 14, reason: `the analog inputs are not numbers: ${this.#words(ADC).slice(0, 100)}` };
    const params = this.#params();
    if (typeof params === 'string') return { code: 15, reason: params };
    if (hdop !== undefined) params['hdop'] = hdop;
    if (outputs !== 0) params['outputs'] = outputs;
    const key = this.#missing(KEY) ? '' : this.#words(KEY);
    if (key !== '' && !/^0+$/.test(key)) params['driver_key'] = key.slice(0, 64);
    read.inputs = inputs;
    read.adc = adc;
    read.params = params;
    return read;
  }

  /** The fields of both kinds of records: time, position and so on. */
  #position(now: number): DeviceRecord | RecordError {
    const time = this.#time(now);
    if (Number.isNaN(time)) return { code: 0, reason: `the time ${this.#words(DATE, CLOCK)} is not valid` };
    const nowhere = this.#missing(LAT) && this.#missing(LAT_SIDE) && this.#missing(LON) && this.#missing(LON_SIDE);
    const lat = nowhere ? 0 : this.#degrees(LAT, 90, 'N', 'S');
    const lon = nowhere ? 0 : this.#degrees(LON, 180, 'E', 'W');
    if (Number.isNaN(lat) || Number.isNaN(lon))
      return { code: 10, reason: `the coordinates ${this.#words(LAT, LON_SIDE)} are not valid` };
    const speed = this.#decimal(SPEED);
    const course = this.#decimal(COURSE);
    const height = this.#decimal(HEIGHT);
    if (Number.isNaN(speed) || Number.isNaN(course) || Number.isNaN(height) || (speed ?? 0) < 0)
      return { code: 11, reason: `speed, course or altitude is not a number: ${this.#words(SPEED, HEIGHT)}` };
    const sats = this.#decimal(SATS);
    if (sats !== undefined && !(Number.isInteger(sats) && sats >= 0 && sats <= 1000))
      return { code: 12, reason: `the number of satellites is not valid: ${this.#words(SATS)}` };
    return record({
      time,
      position: nowhere ? undefined : { lat, lon },
      speed,
      direction: course ?? 0,
      height: height ?? 0,
      gpsCount: nowhere ? 0 : sats,
    });
  }

  /** `DDMMYY` and `HHMMSS` (fractions of a second may follow), UTC; NA is now. NaN if invalid. */
  #time(now: number): number {
    const text = this.#text;
    const [date, dateEnd, clock, clockEnd] = [
      this.#begins[DATE]!,
      this.#begins[CLOCK]! - 1,
      this.#begins[CLOCK]!,
      this.#begins[LAT]! - 1,
    ];
    if (this.#isNA(DATE) && this.#isNA(CLOCK)) return now;
    if (dateEnd - date !== 6 || digitsIn(text, date, dateEnd) !== 6 || digitsIn(text, clock, clockEnd) !== 6)
      return NaN;
    const part = clock + 6 === clockEnd ? 0 : this.#partOfSecond(clock + 6, clockEnd);
    const [dd, mm, yy] = [twoDigits(text, date), twoDigits(text, date + 2), twoDigits(text, date + 4)];
    const [h, m, s] = [twoDigits(text, clock), twoDigits(text, clock + 2), twoDigits(text, clock + 4)];
    if (h > 23 || m > 59 || s > 59) return NaN;
    const midnight = Date.UTC(2000 + yy, mm - 1, dd);
    // Every month has 28 days; beyond that the calendar decides.
    if (mm < 1 || mm > 12 || dd < 1 || (dd > 28 && new Date(midnight).getUTCDate() !== dd)) return NaN;
    return midnight + ((h * 60 + m) * 60 + s) * 1000 + part;
  }

  /** ms of `.123`, with one digit to nine. */
  #partOfSecond(from: number, until: number): number {
    const digits = until - from - 1;
    if (
      this.#text.charCodeAt(from) !== POINT ||
      digits < 1 ||
      digits > 9 ||
      digitsIn(this.#text, from + 1, until) !== digits
    )
      return NaN;
    return Math.floor(Number(this.#text.slice(from, until)) * 1000);
  }

  /** `DDMM.mm` or `DDDMM.mm`, with the hemisphere in the next field. NaN if invalid. */
  #degrees(field: number, greatest: number, positive: string, negative: string): number {
    const [from, until] = [this.#begins[field]!, this.#begins[field + 1]! - 1];
    const digits = digitsIn(this.#text, from, until);
    const decimals = from + digits + 1;
    // Devices write more decimals than a double holds: those are checked, but not used.
    const end = Math.min(until, decimals + MAX_DECIMALS);
    if (digits < 3 || digits > 5 || until === decimals || digitsIn(this.#text, end, until) !== until - end) return NaN;
    const minutes = decimalIn(this.#text, from + digits - 2, end);
    if (!(minutes < 60)) return NaN;
    const degrees = Math.round((decimalIn(this.#text, from, from + digits - 2) + minutes / 60) * 1e7) / 1e7;
    const side = this.#begins[field + 2]! - 1 - until === 2 ? this.#text[until + 1] : '';
    if (degrees > greatest || (side !== positive && side !== negative)) return NaN;
    return side === negative ? -degrees : degrees;
  }

  /** Undefined: missing; NaN: not a number. */
  #decimal(field: number): number | undefined {
    return this.#missing(field) ? undefined : decimalIn(this.#text, this.#begins[field]!, this.#begins[field + 1]! - 1);
  }

  /** A 32-bit integer; negative if invalid. */
  #mask(field: number): number {
    if (this.#missing(field)) return 0;
    const [from, until] = [this.#begins[field]!, this.#begins[field + 1]! - 1];
    const value =
      until - from <= 10 && digitsIn(this.#text, from, until) === until - from
        ? decimalIn(this.#text, from, until)
        : -1;
    return value <= 0xffff_ffff ? value : -1;
  }

  /** Undefined if one of them is invalid; a missing one is 0. */
  #adc(): number[] | undefined {
    const values: number[] = [];
    if (this.#missing(ADC)) return values;
    const text = this.#text;
    const until = this.#begins[ADC + 1]! - 1;
    for (let from = this.#begins[ADC]!; from <= until;) {
      const end = endOf(text, COMMA, from, until);
      const value = isMissing(text, from, end) ? 0 : decimalIn(text, from, end);
      if (Number.isNaN(value) || values.push(value) > MAX_ADC) return undefined;
      from = end + 1;
    }
    return values;
  }

  /**
   * `name:type:value`, types 1 integer, 2 number, 3 text. Text may contain colons, but no commas. Returns
   * text that says what is wrong.
   */
  #params(): Record<string, number | string | boolean> | string {
    const params: Record<string, number | string | boolean> = {};
    if (this.#missing(PARAMS)) return params;
    const text = this.#text;
    const until = this.#begins[PARAMS + 1]! - 1;
    let count = 0;
    for (let from = this.#begins[PARAMS]!; from <= until;) {
      const end = endOf(text, COMMA, from, until);
      if (++count > MAX_PARAMS) return `more than ${MAX_PARAMS} parameters`;
      const type = endOf(text, COLON, from, end) + 1;
      const kind = text[type];
      if (
        type === from + 1 ||
        type + 1 >= end ||
        (kind !== '1' && kind !== '2' && kind !== '3') ||
        text.charCodeAt(type + 1) !== COLON
      )
        return `a parameter is name:type:value, not ${text.slice(from, Math.min(end, from + 100))}`;
      const name = text.slice(from, type - 1);
      if (name.length > LONGEST_NAME) return `the name of a parameter has at most ${LONGEST_NAME} characters`;
      const value = type + 2;
      if (kind === '3') {
        if (end - value > LONGEST_STRING) return `the text of ${name} has more than ${LONGEST_STRING} characters`;
        params[name] = text.slice(value, end);
      } else {
        const number = decimalIn(text, value, end);
        if (Number.isNaN(number) || (kind === '1' && !Number.isInteger(number)))
          return `${name} is no ${kind === '1' ? 'whole number' : 'number'}: ${text.slice(value, Math.min(end, value + 50))}`;
        params[name] = number;
      }
      from = end + 1;
    }
    if (params['SOS'] === 1) {
      delete params['SOS'];
      params['alarm'] = 'sos';
    }
    return params;
  }

  #missing(field: number): boolean {
    return isMissing(this.#text, this.#begins[field]!, this.#begins[field + 1]! - 1);
  }

  #isNA(field: number): boolean {
    return this.#begins[field + 1]! - 1 > this.#begins[field]! && this.#missing(field);
  }

  /** The raw fields, for error texts. */
  #words(first: number, last = first): string {
    return this.#text.slice(this.#begins[first]!, this.#begins[last + 1]! - 1);
  }
}

function endOf(text: string, end: number, from: number, until: number): number {
  let at = from;
  while (at < until && text.charCodeAt(at) !== end) at++;
  return at;
}

/** Empty, or NA. */
function isMissing(text: string, from: number, until: number): boolean {
  return until === from || (until - from === 2 && text.charCodeAt(from) === 78 && text.charCodeAt(from + 1) === 65);
}

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;
}
