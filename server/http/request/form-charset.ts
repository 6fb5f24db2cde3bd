import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { Refusal } from '../../../shared/refusal.ts';

/** Most parameters of one form. */
export const MAX_PARAMETERS = 5000;

/** Refuses a form that is not percent-encoded UTF-8. The library would silently accept other text. */
export function requireUtf8Form(form: Buffer): void {
  requirePercentEncoded(form);
  if (!isUtf8(bytesOf(form))) throw new Refusal('request.formNotUtf8');
}

/** Re-encodes a form in UTF-8. Refuses unknown character sets, and bytes that are invalid in them. */
export function formInUtf8(form: Buffer, charset: string): Buffer {
  requirePercentEncoded(form);
  const decoder = decoderOf(charset);
  const recoded = (part: string) => encodeURIComponent(decoded(decoder, bytesOf(Buffer.from(part, 'latin1')), charset));
  const parameters = form.toString('latin1').split('&', MAX_PARAMETERS + 1);
  if (parameters.length > MAX_PARAMETERS) throw new Refusal('request.formFields');
  const inUtf8 = parameters.map((parameter) => {
    const [, name, value] = /^([^=]*)(?:=([^]*))?$/.exec(parameter)!;
    return value === undefined ? recoded(name!) : `${recoded(name!)}=${recoded(value)}`;
  });
  return Buffer.from(inUtf8.join('&'), 'latin1');
}

function requirePercentEncoded(form: Buffer): void {
  if (/%(?![0-9a-f]{2})/i.test(form.toString('latin1'))) throw new Refusal('request.formEncoding');
}

/**
 * The bytes of a percent-encoded form. A loop, because `replace` with a callback takes 50 ms for a long form.
 */
function bytesOf(form: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(form.length);
  let length = 0;
  for (let at = 0; at < form.length; at++) {
    const byte = form[at]!;
    if (byte === PERCENT) bytes[length++] = (digitOf(form[++at]!) << 4) | digitOf(form[++at]!);
    else bytes[length++] = byte === PLUS ? SPACE : byte;
  }
  return bytes.subarray(0, length);
}

const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;

/** The value of a hexadecimal digit, from its character code. */
function digitOf(code: number): number {
  return code <= 0x39 ? code - 0x30 : (code | 0x20) - 0x57;
}

function decoderOf(charset: string): TextDecoder {
  try {
    const decoder = new TextDecoder(charset, { fatal: true, ignoreBOM: true });
    // `&` and `=` are one byte in all the others.
    if (!decoder.encoding.startsWith('utf-16')) return decoder;
  } catch {
    // refused below
  }
  throw new Refusal('request.formCharset', { charset: charset.slice(0, 40) });
}

function decoded(decoder: TextDecoder, bytes: Buffer, charset: string): string {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    throw new Refusal('request.formNotInCharset', { charset: charset.slice(0, 40) }, { cause: error });
  }
}
