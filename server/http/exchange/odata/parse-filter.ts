import { Refusal } from '../../../../shared/refusal.ts';
import type { TimeBounds, Column, EntityValue, ValueKind } from './entity-set.ts';

/** Reads `$filter` of OData 4.0, as far as the manual says. Throws a refusal that names the character. */
export function parseFilter<Entry>(text: string, columns: readonly Column<Entry>[]): Filter<Entry> {
  return new FilterParser(text, columns).whole();
}

/** A condition with three outcomes: null where a value is missing. */
export type Filter<Entry> =
  | { readonly kind: 'and' | 'or'; readonly of: readonly Filter<Entry>[] }
  | { readonly kind: 'not'; readonly of: Filter<Entry> }
  | { readonly kind: 'flag'; readonly of: Operand<Entry> }
  | { readonly kind: 'compare'; readonly by: Comparison; readonly left: Operand<Entry>; readonly right: Operand<Entry> }
  | { readonly kind: 'text'; readonly by: TextTest; readonly left: Operand<Entry>; readonly right: Operand<Entry> };

export interface Operand<Entry> {
  /** `null` goes with every other kind. */
  readonly kind: 'text' | 'number' | 'flag' | 'time' | 'null';
  read(entry: Entry): EntityValue;
  /** Set: it is the value of this column as it stands. */
  readonly column?: string;
  /** Set: it is the same for every entry. */
  readonly literal?: EntityValue;
}

const COMPARISONS = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const;
type Comparison = (typeof COMPARISONS)[number];
const TEXT_TESTS = ['contains', 'startswith', 'endswith'] as const;
type TextTest = (typeof TEXT_TESTS)[number];
const CASES: Readonly<Record<string, (text: string) => string>> = {
  tolower: (text) => text.toLowerCase(),
  toupper: (text) => text.toUpperCase(),
};

export const MOST_TERMS = 500;
const DEEPEST = 50;

export function filterOutcome<Entry>(filter: Filter<Entry>, entry: Entry): boolean | null {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const decisive = filter.kind === 'or';
      let isOpen = false;
      for (const part of filter.of) {
        const outcome = filterOutcome(part, entry);
        if (outcome === decisive) return decisive;
        isOpen ||= outcome === null;
      }
      return isOpen ? null : !decisive;
    }
    case 'not': {
      const outcome = filterOutcome(filter.of, entry);
      return outcome === null ? null : !outcome;
    }
    case 'flag':
      return filter.of.read(entry) as boolean | null;
    case 'compare':
      return compare(filter.by, filter.left.read(entry), filter.right.read(entry));
    case 'text': {
      const [left, right] = [filter.left.read(entry), filter.right.read(entry)];
      return left === null || right === null ? null : tests(filter.by, left as string, right as string);
    }
  }
}

/** A missing value equals only another one, and is neither less nor more than any. */
function compare(by: Comparison, left: EntityValue, right: EntityValue): boolean {
  if (by === 'eq') return left === right;
  if (by === 'ne') return left !== right;
  if (left === null || right === null) return false;
  if (by === 'gt') return left > right;
  if (by === 'ge') return left >= right;
  return by === 'lt' ? left < right : left <= right;
}

function tests(by: TextTest, text: string, part: string): boolean {
  if (by === 'contains') return text.includes(part);
  return by === 'startswith' ? text.startsWith(part) : text.endsWith(part);
}

/** Bounds of a column that hold for every entry that passes. */
export function timeBoundsOf<Entry>(filter: Filter<Entry> | undefined, column: string | undefined): TimeBounds {
  if (filter === undefined || column === undefined) return {};
  if (filter.kind === 'and') {
    const parts = filter.of.map((part) => timeBoundsOf(part, column));
    const [from, until] = [
      Math.max(...parts.map((part) => part.from ?? -Infinity)),
      Math.min(...parts.map((part) => part.until ?? Infinity)),
    ];
    return { ...(from > -Infinity && { from }), ...(until < Infinity && { until }) };
  }
  if (filter.kind !== 'compare' || filter.left.column !== column) return {};
  const { literal } = filter.right;
  if (typeof literal !== 'number') return {};
  const isEqual = filter.by === 'eq';
  return {
    ...((isEqual || filter.by === 'ge' || filter.by === 'gt') && { from: literal }),
    ...((isEqual || filter.by === 'le' || filter.by === 'lt') && { until: literal }),
  };
}

type Token = { readonly at: number; readonly text: string } & (
  | { readonly kind: 'sign' | 'word' | 'end' }
  | { readonly kind: 'literal'; readonly value: EntityValue; readonly of: Operand<unknown>['kind'] }
);

const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,12})?)?(?:Z|[+-]\d\d:\d\d)`;
const NUMBER = String.raw`[+-]?\d{1,20}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?`;
const TOKEN = new RegExp(
  String.raw`[ \t]*(?:(?<sign>[(),])|(?<quoted>'(?:[^']|'')*')|(?<time>${TIME})(?![\w.:-])|(?<number>${NUMBER})(?![\w.:-])|(?<word>[A-Za-z_]\w{0,127})(?![\w.:-]))`,
  'y',
);

class FilterParser<Entry> {
  readonly #text: string;
  readonly #columns: ReadonlyMap<string, Column<Entry>>;
  #token: Token;
  #next = 0;
  #terms = 0;
  #depth = 0;

  constructor(text: string, columns: readonly Column<Entry>[]) {
    this.#text = text;
    this.#columns = new Map(columns.map((column) => [column.name, column]));
    this.#token = this.#read();
  }

  whole(): Filter<Entry> {
    const filter = this.#or();
    if (this.#token.kind !== 'end') throw this.#expected('and, or, or the end');
    return filter;
  }

  #or(): Filter<Entry> {
    return this.#joined('or', () => this.#joined('and', () => this.#condition()));
  }

  #joined(kind: 'and' | 'or', part: () => Filter<Entry>): Filter<Entry> {
    const of = [part()];
    while (this.#takes(kind)) of.push(part());
    return of.length === 1 ? of[0]! : { kind, of };
  }

  #condition(): Filter<Entry> {
    if (++this.#terms > MOST_TERMS || this.#depth > DEEPEST)
      throw new Refusal('odata.deep', { option: '$filter', most: MOST_TERMS });
    if (this.#takes('not')) return { kind: 'not', of: this.#deeper(() => this.#negated()) };
    if (this.#takes('(')) {
      const inner = this.#deeper(() => this.#or());
      this.#require(')', 'a closing parenthesis');
      return inner;
    }
    return this.#textTest() ?? this.#comparison();
  }

  /** `not` binds closer than a comparison, which therefore stands in parentheses behind it. */
  #negated(): Filter<Entry> {
    const isEnclosed = this.#token.text === '(';
    const condition = this.#condition();
    if (!isEnclosed && isComparison(condition)) throw this.#expected('a parenthesis around the comparison');
    return condition;
  }

  #deeper<T>(read: () => T): T {
    this.#depth++;
    const found = read();
    this.#depth--;
    return found;
  }

  /** `contains(a,b)`, also with `eq true` behind it, as some programs write it. */
  #textTest(): Filter<Entry> | undefined {
    const by = TEXT_TESTS.find((name) => this.#token.kind === 'word' && this.#token.text === name);
    if (by === undefined) return undefined;
    this.#advance();
    this.#require('(', 'an opening parenthesis');
    const left = this.#textOperand();
    this.#require(',', 'a comma');
    const right = this.#textOperand();
    this.#require(')', 'a closing parenthesis');
    const test: Filter<Entry> = { kind: 'text', by, left, right };
    const sign = (['eq', 'ne'] as const).find((name) => this.#takes(name));
    if (sign === undefined) return test;
    const { at } = this.#token;
    const { kind, literal } = this.#operand();
    if (kind !== 'flag' || literal === undefined) throw this.#expected('true or false', at);
    return (sign === 'eq') === literal ? test : { kind: 'not', of: test };
  }

  #comparison(): Filter<Entry> {
    const { at } = this.#token;
    const left = this.#operand();
    if (this.#takes('in')) return this.#oneOf(left, at);
    const by = COMPARISONS.find((name) => this.#takes(name));
    if (by === undefined) {
      if (left.kind === 'flag') return { kind: 'flag', of: left };
      throw this.#expected('eq, ne, gt, ge, lt, le or in');
    }
    return this.#compared(left, by, this.#operand(), at);
  }

  /** `in (1,2)` of OData 4.01. */
  #oneOf(left: Operand<Entry>, at: number): Filter<Entry> {
    this.#require('(', 'an opening parenthesis');
    const of: Filter<Entry>[] = [];
    do {
      if (++this.#terms > MOST_TERMS) throw new Refusal('odata.deep', { option: '$filter', most: MOST_TERMS });
      of.push(this.#compared(left, 'eq', this.#operand(), at));
    } while (this.#takes(','));
    this.#require(')', 'a closing parenthesis');
    return { kind: 'or', of };
  }

  #compared(left: Operand<Entry>, by: Comparison, right: Operand<Entry>, at: number): Filter<Entry> {
    const isOrdered = by !== 'eq' && by !== 'ne';
    const fits = left.kind === right.kind || left.kind === 'null' || right.kind === 'null';
    if (!fits || (isOrdered && (left.kind === 'flag' || right.kind === 'flag')))
      throw new Refusal('odata.kinds', { option: '$filter', at: at + 1 });
    return { kind: 'compare', by, left, right };
  }

  #textOperand(): Operand<Entry> {
    const { at } = this.#token;
    const operand = this.#operand();
    if (operand.kind !== 'text') throw this.#expected('a text', at);
    return operand;
  }

  #operand(): Operand<Entry> {
    const token = this.#token;
    if (token.kind === 'literal') {
      this.#advance();
      return { kind: token.of, literal: token.value, read: () => token.value };
    }
    if (token.kind !== 'word') throw this.#expected('a property or a value');
    const change = Object.hasOwn(CASES, token.text) ? CASES[token.text] : undefined;
    if (change) {
      this.#advance();
      this.#require('(', 'an opening parenthesis');
      if (this.#depth > DEEPEST) throw new Refusal('odata.deep', { option: '$filter', most: MOST_TERMS });
      const { read } = this.#deeper(() => this.#textOperand());
      this.#require(')', 'a closing parenthesis');
      return {
        kind: 'text',
        read: (entry) => {
          const value = read(entry);
          return typeof value === 'string' ? change(value) : value;
        },
      };
    }
    const column = this.#columns.get(token.text);
    if (!column) throw new Refusal('odata.property', { option: '$filter', name: token.text });
    this.#advance();
    return { kind: operandKind(column.kind), column: column.name, read: (entry) => column.read(entry) };
  }

  #takes(text: string): boolean {
    const { kind, text: own } = this.#token;
    if ((kind !== 'word' && kind !== 'sign') || own !== text) return false;
    this.#advance();
    return true;
  }

  #require(text: string, expected: string): void {
    if (!this.#takes(text)) throw this.#expected(expected);
  }

  #advance(): void {
    this.#token = this.#read();
  }

  #read(): Token {
    TOKEN.lastIndex = this.#next;
    const match = TOKEN.exec(this.#text);
    if (!match) {
      const at = this.#next + /^[ \t]*/.exec(this.#text.slice(this.#next))![0].length;
      if (at < this.#text.length) throw this.#expected('a property or a value', at);
      return { kind: 'end', at, text: '' };
    }
    this.#next = TOKEN.lastIndex;
    const { sign, quoted, time, number, word } = match.groups!;
    const text = (sign ?? quoted ?? time ?? number ?? word)!;
    const at = this.#next - text.length;
    if (quoted !== undefined)
      return { kind: 'literal', at, text, of: 'text', value: quoted.slice(1, -1).replaceAll("''", "'") };
    if (number !== undefined) return { kind: 'literal', at, text, of: 'number', value: Number(number) };
    if (time !== undefined) {
      const value = Date.parse(time);
      if (Number.isNaN(value)) throw this.#expected('a time', at);
      return { kind: 'literal', at, text, of: 'time', value };
    }
    if (word === 'true' || word === 'false') return { kind: 'literal', at, text, of: 'flag', value: word === 'true' };
    if (word === 'null') return { kind: 'literal', at, text, of: 'null', value: null };
    return { kind: sign === undefined ? 'word' : 'sign', at, text };
  }

  #expected(wanted: string, at = this.#token.at): Refusal {
    return new Refusal('odata.syntax', { option: '$filter', wanted, at: at + 1 });
  }
}

function isComparison(condition: Filter<never> | Filter<unknown>): boolean {
  return condition.kind === 'compare' || condition.kind === 'or';
}

function operandKind(kind: ValueKind): Operand<unknown>['kind'] {
  return kind === 'whole' ? 'number' : kind;
}
