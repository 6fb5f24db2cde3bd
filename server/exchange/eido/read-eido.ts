import { Refusal } from '../../../shared/refusal.ts';
import { LONGEST_TITLE } from '../../../shared/tasks/title.ts';
import { shortened } from '../../../shared/text/characters.ts';
import { textOfHtml } from '../../platform/parsing/html-text.ts';
import { readPidfLo, type PidfPlace } from './pidf-lo.ts';

/** A note of an incident, as text. */
export interface IncomingNote {
  readonly id: string;
  readonly text: string;
}

/** An incident of another system. */
export interface IncomingIncident {
  /** Globally unique; the same in every message about the incident. */
  readonly id: string;
  readonly title: string;
  readonly notes: readonly IncomingNote[];
  readonly address: string;
  readonly point: PidfPlace['point'];
  /** 1 (worst) to 4; 0: not said. */
  readonly priority: number;
  /** Lines about the sender and the caller. */
  readonly head: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

const MOST_NOTES = 200;
const LONGEST_NOTE = 19_000;
const LONGEST_ID = 300;
const LONGEST_LINE = 120;

/**
 * Reads an Emergency Incident Data Object (NENA-STA-021.1, version 1.0), also of the drafts before it, which name some
 * components otherwise. Members that are no text where a text belongs count as absent. Refuses one without an id.
 */
export function readEido(body: unknown): IncomingIncident {
  const root = fieldsOf(body);
  const id = text(root['$id']);
  if (id === '') throw new Refusal('field.empty', { field: '$id' });
  if (id.length > LONGEST_ID) throw new Refusal('field.tooLong', { field: '$id', most: LONGEST_ID });
  const incident = fieldsOf(
    Array.isArray(root['incidentComponent']) ? root['incidentComponent'][0] : root['incidentComponent'],
  );
  const notes = notesOf(root);
  const places = placesOf(root, incident);
  const isNamed = (name: string) => !['', 'other', 'unknown'].includes(name.toLowerCase());
  const names = ['incidentTypeInternalText', 'incidentTypeCommonRegistryText'].map((name) => text(incident[name]));
  const sender = text(root['issuingElementIdentification']);
  const title = names.find(isNamed) ?? notes[0]?.text.split('\n', 1)[0] ?? `Incident of ${sender || 'another system'}`;
  return {
    id: withoutHeader(id),
    title: shortened(title.replace(/\s+/g, ' ').trim() || sender, Math.min(LONGEST_LINE, LONGEST_TITLE)),
    notes,
    address: places.map(({ address }) => address).find(Boolean) ?? '',
    point: places.map(({ point }) => point).find((point) => point !== undefined),
    priority: priorityOf(incident['incidentCommonPriorityNumber']),
    head: ['EIDO', `Incident: ${id}`, `From: ${sender}`, ...callersOf(root).map((uri) => `Call back: ${uri}`)],
  };
}

/** Drafts end the id of the message with a word of its own. */
function withoutHeader(id: string): string {
  return id.replace(/:header$/, '');
}

function notesOf(root: Fields): IncomingNote[] {
  return listOf(root['notesComponent'])
    .slice(0, MOST_NOTES)
    .map((note) => ({
      id: text(note['$id']).slice(0, LONGEST_ID),
      text: shortened(textOfHtml(text(note['notesActionComments'])), LONGEST_NOTE),
    }))
    .filter(({ text: words }) => words !== '');
}

/** The places of the incident first, then those of its calls. A place by reference is not fetched. */
function placesOf(root: Fields, incident: Fields): PidfPlace[] {
  const components = [...listOf(root['locationComponent']), ...listOf(root['locationInformationComponent'])];
  const wanted = new Set(listOf(incident['locationReference']).map((reference) => text(reference['$ref'])));
  const first = components.filter((component) => wanted.has(text(component['$id'])));
  return [...first, ...components.filter((component) => !first.includes(component))].map((component) => {
    const { point, address } = readPidfLo(text(component['locationByValue']));
    return { point, address: text(component['locationDescriptionText']).slice(0, 500) || address };
  });
}

/** From 0, the lowest, to 10. */
function priorityOf(value: unknown): number {
  if (typeof value !== 'number' || !(value >= 0 && value <= 10)) return 0;
  return value >= 9 ? 1 : value >= 6 ? 2 : value >= 3 ? 3 : 4;
}

function callersOf(root: Fields): string[] {
  const uris = listOf(root['callbackComponent']).flatMap((callback) => {
    const all = callback['callBackInformationUri'];
    return Array.isArray(all) ? all.map(text) : [];
  });
  return [...new Set(uris.filter(Boolean))].slice(0, 5).map((uri) => uri.slice(0, 200));
}

function listOf(value: unknown): Fields[] {
  return (Array.isArray(value) ? value : value === undefined ? [] : [value]).map(fieldsOf);
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
