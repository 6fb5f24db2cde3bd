/** Longest name in characters. Anybody who saves a download shortens it to the bytes that the file system takes. */
const LONGEST = 150;
/** Names that Windows reserves for devices, with any extension, also after spaces. */
const DEVICES = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$) *(?:\.|$)/i;
/** Invisible characters: controls, line ends, and marks that change the writing direction. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Makes a client's name safe to show and to offer for a download. It is never used as a path, since stored
 * bytes are named by their hash. Removes folders (`..\..\x`, `C:\x`, `/etc/x`), control characters and marks
 * that change the writing direction.
 */
export function safeName(given: string): string {
  const last = given.normalize('NFC').split(/[/\\]/).at(-1)!;
  const clean = last
    .replace(UNSEEN, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/^[. ]+|[. ]+$/g, '');
  const named = clean === '' ? 'file' : DEVICES.test(clean) ? `_${clean}` : clean;
  return shorten(named);
}

/** The extension of a name without its dot, in lower case; empty when it has none. */
export function extensionOf(name: string): string {
  return /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]!.toLowerCase() ?? '';
}

function shorten(name: string): string {
  const letters = [...name];
  if (letters.length <= LONGEST) return name;
  const extension = extensionOf(name);
  return (
    letters
      .slice(0, LONGEST - extension.length - 1)
      .join('')
      .replace(/[. ]+$/, '') + (extension ? `.${extension}` : '')
  );
}
