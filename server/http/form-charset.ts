import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { Refusal } from '../../shared/refusal.ts';

/** Refuses a form that is not what its header says: not percent-encoded, or not UTF-8. The library would store other texts without a word. */
export function demandUtf8Form(form: Buffer): void {
  const latin = form.toString('latin1');
  if (/%(?![0-9a-f]{2})/i.test(latin)) throw new Refusal('invalid', 'The form is not correctly percent-encoded.');
  if (!isUtf8(bytesOf(latin))) throw new Refusal('invalid', 'The form is not UTF-8; name its character set in the Content-Type.');
}

/** A form in another character set as one in UTF-8. Refuses character sets that are not known, and bytes that are not in them. */
export function formInUtf8(form: Buffer, charset: string): Buffer {
  const latin = form.toString('latin1');
  if (/%(?![0-9a-f]{2})/i.test(latin)) throw new Refusal('invalid', 'The form is not correctly percent-encoded.');
  const decoder = decoderOf(charset);
  const recoded = latin.split(/([&=])/).map((part, index) => (index % 2 === 1 ? part : encodeURIComponent(decoded(decoder, bytesOf(part.replaceAll('+', ' ')), charset))));
  return Buffer.from(recoded.join(''), 'latin1');
}

function bytesOf(percentEncoded: string): Buffer {
  return Buffer.from(percentEncoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))), 'latin1');
}

function decoderOf(charset: string): TextDecoder {
  try {
    const decoder = new TextDecoder(charset, { fatal: true, ignoreBOM: true });
    // `&` and `=` are one byte in all the others.
    if (!decoder.encoding.startsWith('utf-16')) return decoder;
  } catch {
    // refused below
  }
  throw new Refusal('invalid', `The character set ${charset.slice(0, 40)} of the form is not supported; send UTF-8.`);
}

function decoded(decoder: TextDecoder, bytes: Buffer, charset: string): string {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    throw new Refusal('invalid', `The form is not in the character set ${charset.slice(0, 40)} that its header names.`, { cause: error });
  }
}
