import { Refusal } from '../../../../shared/refusal.ts';
import { attributeOf, XmlReader } from '../../../platform/parsing/xml-reader.ts';

/** An element with its content. Names have no prefix. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Its own text, without that of its children. */
  readonly text: string;
}

/** Elements that are in memory at a time, so that a small file cannot fill it. */
const MOST_ELEMENTS = 500_000;

interface OpenElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

/**
 * Gives every element of a wanted name, inner ones first, to `take`. A taken element is no child of the one around it,
 * so a long document is never in memory as a whole.
 * @returns the root without its taken elements
 */
export function readElements(
  pieces: Iterable<string>,
  wanted: ReadonlySet<string>,
  take: (element: XmlElement) => void,
): XmlElement {
  const open: OpenElement[] = [];
  let kept = 0;
  let root: XmlElement | undefined;
  const reader = new XmlReader(
    {
      open: (name, attributes) => {
        if (++kept > MOST_ELEMENTS) throw broken(`One of its parts has more than ${MOST_ELEMENTS} elements.`);
        open.push({ name, attributes, children: [], text: '' });
      },
      text: (piece) => {
        const last = open.at(-1);
        if (last) last.text += piece;
      },
      close: () => {
        const element = open.pop()!;
        const outer = open.at(-1);
        if (!outer) root = element;
        if (!wanted.has(element.name)) return void outer?.children.push(element);
        kept -= sizeOf(element);
        take(element);
      },
    },
    (problem) => broken(problem),
  );
  for (const piece of pieces) reader.write(piece);
  reader.end();
  if (!root) throw broken('The document is empty.');
  return root;
}

/** Elements in an element, itself among them. */
function sizeOf({ children }: XmlElement): number {
  return children.reduce((sum, child) => sum + sizeOf(child), 1);
}

export function broken(problem: string, cause?: unknown): Refusal {
  return new Refusal('warnings.brokenFeed', { problem }, { cause });
}

/** The children of this name. */
export function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

/** The first element at the end of a path of names. */
export function childAt(element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>(
    (found, name) => found?.children.find((child) => child.name === name),
    element,
  );
}

/** The text at the end of a path of names; empty if there is none. */
export function textAt(element: XmlElement | undefined, ...path: readonly string[]): string {
  return childAt(element, ...path)?.text.trim() ?? '';
}

/** All elements of this name, at any depth, in the order of the document. */
export function* within(element: XmlElement, name: string): Generator<XmlElement> {
  for (const child of element.children) {
    if (child.name === name) yield child;
    yield* within(child, name);
  }
}

/** An attribute, with any prefix; empty if there is none. */
export function attributeAt(element: XmlElement | undefined, name: string): string {
  return (element && attributeOf(element.attributes, name)) ?? '';
}

/** Epoch ms; undefined: there is no time. Times have a zone in all formats. */
export function timeOf(text: string): number | undefined {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}
