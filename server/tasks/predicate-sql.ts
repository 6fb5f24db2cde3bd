import type { DatabaseSync } from 'node:sqlite';
import { messages, type Message } from '../../shared/records/index.ts';
import { type Predicate, type ScalarField } from './predicate.ts';

/** SQL with its values in order. */
export interface Sql {
  text: string;
  values: number[];
}

/** Fields with a generated column; the others are read out of the record. */
const COLUMNS = new Set<string>(messages.indexes.flat());

export function column(field: ScalarField): string {
  return COLUMNS.has(field) ? field : `json_extract(data,'$.${field}')`;
}

/** Whether the database can tell from its indexes alone, so that the question is cheap however many messages there are. */
export function isIndexed(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case 'always':
    case 'never': return true;
    case 'all': return predicate.of.every(isIndexed);
    case 'in':
    case 'between': return COLUMNS.has(predicate.field);
    default: return false;
  }
}

/** The tests that a connection's function `message_passes` knows at the moment, by number. */
const testsOf = new WeakMap<DatabaseSync, Map<number, (message: Message) => boolean>>();

function testsKnownTo(db: DatabaseSync): Map<number, (message: Message) => boolean> {
  const known = testsOf.get(db);
  if (known) return known;
  const tests = new Map<number, (message: Message) => boolean>();
  db.function('message_passes', (test, data) => (tests.get(Number(test))!(JSON.parse(String(data)) as Message) ? 1 : 0));
  testsOf.set(db, tests);
  return tests;
}

/** Writes predicates as SQL for one connection. */
export class PredicateSql {
  private readonly tests: Map<number, (message: Message) => boolean>;

  constructor(db: DatabaseSync) {
    this.tests = testsKnownTo(db);
  }

  /** Gives the predicate as SQL to `use`; it holds only until `use` returns. */
  with<R>(predicate: Predicate, use: (sql: Sql) => R): R {
    const made: number[] = [];
    try {
      return use(this.write(predicate, made));
    } finally {
      for (const test of made) this.tests.delete(test);
    }
  }

  private write(predicate: Predicate, made: number[]): Sql {
    switch (predicate.kind) {
      case 'always': return { text: '1', values: [] };
      case 'never': return { text: '0', values: [] };
      case 'all': return this.join(predicate.of, ' AND ', made);
      case 'any': return this.join(predicate.of, ' OR ', made);
      case 'not': {
        const { text, values } = this.write(predicate.of, made);
        return { text: `NOT (${text})`, values };
      }
      case 'in': {
        const places = predicate.values.map(() => '?').join(',');
        return predicate.values.length === 1 ? { text: `${column(predicate.field)}=?`, values: [...predicate.values] } : { text: `${column(predicate.field)} IN (${places})`, values: [...predicate.values] };
      }
      case 'between': return betweenSql(column(predicate.field), predicate.least, predicate.most);
      case 'has-point': return { text: `json_type(data,'$.point')='object'`, values: [] };
      case 'test': {
        const id = Math.max(0, ...this.tests.keys()) + 1;
        this.tests.set(id, predicate.test);
        made.push(id);
        return { text: `message_passes(${id},data)`, values: [] };
      }
    }
  }

  private join(parts: readonly Predicate[], word: string, made: number[]): Sql {
    const written = parts.map((part) => this.write(part, made));
    return { text: `(${written.map((part) => part.text).join(word)})`, values: written.flatMap((part) => part.values) };
  }
}

function betweenSql(name: string, least: number, most: number): Sql {
  if (least === -Infinity && most === Infinity) return { text: '1', values: [] };
  if (least === -Infinity) return { text: `${name}<=?`, values: [most] };
  if (most === Infinity) return { text: `${name}>=?`, values: [least] };
  return { text: `${name} BETWEEN ? AND ?`, values: [least, most] };
}
