/**
 * Bytes of a device, readable: as text if they are text, else as lines of 16 bytes with offset, hexadecimal
 * digits and characters.
 */
export function readable(base64: string): string {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!CONTROLS.test(text)) return text;
  } catch {
    // not text
  }
  return hexLines(bytes);
}

/**
 * Control characters but for tab and line ends; a frame that ends with one is still to be seen byte by byte.
 */
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
const WIDTH = 16;

function hexLines(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += WIDTH) {
    const part = [...bytes.subarray(at, at + WIDTH)];
    const digits = part.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const characters = part.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${at.toString(16).padStart(4, '0')}  ${digits.padEnd(WIDTH * 3 - 1)}  ${characters}`);
  }
  return lines.join('\n');
}
