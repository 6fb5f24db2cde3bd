import { SaxesParser } from 'saxes';

/** Callbacks while a document is read. Names have no prefix. */
export interface XmlListener {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text(text: string): void;
  close(name: string): void;
}

/** Makes the error that the reader throws; `problem` is a sentence in English. */
export type BrokenXml = (problem: string) => Error;

/** Elements in elements. No format that we read comes near it. */
const DEEPEST = 100;

/** Reads XML piece by piece. Declared entities are not expanded. */
export class XmlReader {
  readonly #parser = new SaxesParser();
  #depth = 0;

  constructor(listener: XmlListener, broken: BrokenXml) {
    this.#parser.on('error', (error) => {
      throw broken(error.message.slice(0, 200));
    });
    this.#parser.on('opentag', ({ name, attributes }) => {
      if (++this.#depth > DEEPEST) throw broken('The elements are too deep.');
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

export function readXmlText(text: string, listener: XmlListener, broken: BrokenXml): void {
  const reader = new XmlReader(listener, broken);
  reader.write(text);
  reader.end();
}

/** An attribute, with any prefix. */
export function attributeOf(attributes: Readonly<Record<string, string>>, name: string): string | undefined {
  if (attributes[name] !== undefined) return attributes[name];
  const found = Object.keys(attributes).find((each) => withoutPrefix(each) === name);
  return found === undefined ? undefined : attributes[found];
}

/** The name of an element or type without the prefix of its namespace. */
export function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
