/** A value for XML. */
export type XmlValue = string | number | boolean | null | readonly XmlValue[] | { readonly [name: string]: XmlValue };

/** The name of each entry of a list, by the name of the list. */
type EntryNames = Readonly<Record<string, string>>;

/** An XML document of plain values: members are elements, null is an empty one. `attributes` are of the root. */
export function xmlDocument(
  root: string,
  value: XmlValue,
  entryNames: EntryNames,
  attributes: Readonly<Record<string, string>> = {},
): string {
  const written = Object.entries(attributes).map(([name, text]) => ` ${name}="${escapeXml(text)}"`);
  return `<?xml version="1.0" encoding="utf-8"?>\n${element(root, value, entryNames, written.join(''))}\n`;
}

function element(name: string, value: XmlValue, entryNames: EntryNames, attributes = ''): string {
  const content = contentOf(name, value, entryNames);
  return content === '' ? `<${name}${attributes}/>` : `<${name}${attributes}>${content}</${name}>`;
}

function contentOf(name: string, value: XmlValue, entryNames: EntryNames): string {
  if (value === null) return '';
  if (typeof value !== 'object') return escapeXml(String(value));
  if (Array.isArray(value))
    return (value as readonly XmlValue[]).map((one) => element(entryNames[name] ?? 'item', one, entryNames)).join('');
  return Object.entries(value)
    .map(([member, part]) => element(member, part as XmlValue, entryNames))
    .join('');
}

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

/** XML 1.0 cannot hold most control characters, not even escaped: they are left out. Quotes are for attributes. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"\r]/g, (character) => REFERENCES[character]!);
}
