import type { DatabaseSync } from 'node:sqlite';
import { tasks, type Task } from '../../../../shared/records/index.ts';
import { type Predicate, type ScalarField } from './predicate.ts';

/** SQL with its values in order. */
interface Sql {
  text: string;
  values: number[];
}

/** Fields with a generated column; others are read from the JSON of the record. */
const COLUMNS = new Set<string>(tasks.tableIndexes!.flatMap(({ fields }) => fields));

export function column(field: ScalarField): string {
  return COLUMNS.has(field) ? field : `json_extract(data,'$.${field}')`;
}

/** The tests that the connection's function `message_passes` currently knows, by number. */
const testsOf = new WeakMap<DatabaseSync, Map<number, (task: Task) => boolean>>();

function testsKnownTo(db: DatabaseSync): Map<number, (task: Task) => boolean> {
  const known = testsOf.get(db);
  if (known) return known;
  const tests = new Map<number, (task: Task) => boolean>();
  db.function('message_passes', (test, data) => (tests.get(Number(test))!(JSON.parse(String(data)) as Task) ? 1 : 0));
  testsOf.set(db, tests);
  return tests;
}

/** Writes predicates as SQL for one connection. */
export class PredicateSql {
  readonly #tests: Map<number, (task: Task) => boolean>;
  #lead: ReadonlySet<ScalarField> | undefined;

  constructor(db: DatabaseSync) {
    this.#tests = testsKnownTo(db);
  }

  /**
   * Passes the predicate as SQL to `use`; it is valid only until `use` returns.
   * @param lead the fields of the index to use; others are hidden from SQLite's planner, which knows no value
   * frequencies
   */
  with<R>(predicate: Predicate, use: (sql: Sql) => R, lead?: ReadonlySet<ScalarField>): R {
    const made: number[] = [];
    this.#lead = lead;
    try {
      return use(this.#write(predicate, made));
    } finally {
      for (const test of made) this.#tests.delete(test);
    }
  }

  #write(predicate: Predicate, made: number[]): Sql {
    switch (predicate.kind) {
      case 'always':
        return { text: '1', values: [] };
      case 'never':
        return { text: '0', values: [] };
      case 'all':
        return this.#join(predicate.of, ' AND ', made);
      case 'any':
        return this.#join(predicate.of, ' OR ', made);
      case 'not': {
        const { text, values } = this.#write(predicate.of, made);
        return { text: `NOT (${text})`, values };
      }
      case 'in': {
        const places = predicate.values.map(() => '?').join(',');
        const name = this.#named(predicate.field);
        return {
          text: predicate.values.length === 1 ? `${name}=?` : `${name} IN (${places})`,
          values: [...predicate.values],
        };
      }
      case 'between':
        return betweenSql(this.#named(predicate.field), predicate.least, predicate.most);
      case 'has-point':
        return { text: '"point.zoom" IS NOT NULL', values: [] };
      case 'test': {
        const id = Math.max(0, ...this.#tests.keys()) + 1;
        this.#tests.set(id, predicate.test);
        made.push(id);
        return { text: `message_passes(${id},data)`, values: [] };
      }
    }
  }

  /** A plus sign keeps SQLite from using an index for the column. */
  #named(field: ScalarField): string {
    return this.#lead && !this.#lead.has(field) ? `+${column(field)}` : column(field);
  }

  #join(parts: readonly Predicate[], word: string, made: number[]): Sql {
    const written = parts.map((part) => this.#write(part, made));
    return { text: `(${written.map((part) => part.text).join(word)})`, values: written.flatMap((part) => part.values) };
  }
}

function betweenSql(name: string, least: number, most: number): Sql {
  if (least === -Infinity && most === Infinity) return { text: '1', values: [] };
  if (least === -Infinity) return { text: `${name}<=?`, values: [most] };
  // Partial indexes are found only by exactly these words.
  if (most === Infinity && least === 1) return { text: `${name}>0`, values: [] };
  if (most === Infinity) return { text: `${name}>=?`, values: [least] };
  return { text: `${name} BETWEEN ? AND ?`, values: [least, most] };
}
