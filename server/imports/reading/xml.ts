import { SaxesParser } from 'saxes';
import { Refusal } from '../../../shared/refusal.ts';

/** Callbacks while a document is read. Names have no prefix. */
export interface XmlListener {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text(text: string): void;
  close(name: string): void;
}

/** Elements in elements. No format that we read comes near it. */
const DEEPEST = 100;

/** Reads XML piece by piece. Declared entities are not expanded. */
export class XmlReader {
  readonly #parser = new SaxesParser();
  #depth = 0;

  constructor(listener: XmlListener) {
    this.#parser.on('error', (error) => {
      throw new Refusal('imports.brokenFile', { problem: error.message.slice(0, 200) });
    });
    this.#parser.on('opentag', ({ name, attributes }) => {
      if (++this.#depth > DEEPEST) throw new Refusal('imports.brokenFile', { problem: 'The elements are too deep.' });
      listener.open(withoutPrefix(name), attributes as Record<string, string>);
    });
    this.#parser.on('text', (text) => listener.text(text));
    this.#parser.on('cdata', (text) => listener.text(text));
    this.#parser.on('closetag', ({ name }) => {
      this.#depth--;
      listener.close(withoutPrefix(name));
    });
  }

  readonly write = (piece: string): void => void this.#parser.write(piece);

  end(): void {
    this.#parser.close();
  }
}

export function readXmlText(text: string, listener: XmlListener): void {
  const reader = new XmlReader(listener);
  reader.write(text);
  reader.end();
}

/** An attribute, whatever its prefix. */
export function attributeOf(attributes: Readonly<Record<string, string>>, name: string): string | undefined {
  if (attributes[name] !== undefined) return attributes[name];
  const found = Object.keys(attributes).find((each) => withoutPrefix(each) === name);
  return found === undefined ? undefined : attributes[found];
}

function withoutPrefix(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}
