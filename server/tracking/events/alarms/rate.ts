import { FLOOD } from '../../../../shared/events/alarms.ts';
import type { AlarmRecord } from '../../../../shared/records/index.ts';

/** The alarm load of operators in a period. Measures of ISA-18.2 and EEMUA 191; times in ms. */
export interface AlarmRate {
  readonly from: number;
  readonly until: number;
  readonly raised: number;
  /** Users who answered alarms in the period; means are per user, or per one if nobody answered. */
  readonly operators: readonly {
    readonly id: number;
    readonly name: string;
    readonly acknowledged: number;
    readonly meanAnswer: number;
  }[];
  /** Mean number in 10 minutes for each operator: a person can answer at most 1. */
  readonly per10Minutes: number;
  /** The highest number in any 10 minutes: below 10 after an upset. */
  readonly mostIn10Minutes: number;
  /** Periods with more than 10 alarms in 10 minutes, and their share of the time. */
  readonly floods: readonly { readonly from: number; readonly until: number; readonly count: number }[];
  readonly floodShare: number;
  /** Alarms open for more than a day, and their share: at most about 1 %. */
  readonly standing: number;
  readonly standingShare: number;
  readonly byPriority: Readonly<Record<'1' | '2' | '3' | '4', number>>;
  /** The rules that raised most alarms, most first: candidates for tuning. */
  readonly byRule: readonly { readonly rule: string; readonly name: AlarmRecord['name']; readonly count: number }[];
}

const STANDING = 24 * 3_600_000;

/** @param alarms those raised in the period, and those open before it */
export function rateOf(
  alarms: readonly AlarmRecord[],
  { from, until, now, nameOf }: { from: number; until: number; now: number; nameOf: (userId: number) => string },
): AlarmRate {
  const raised = alarms.filter(({ raisedAt }) => raisedAt >= from && raisedAt <= until);
  const times = raised.map(({ raisedAt }) => raisedAt).sort((a, b) => a - b);
  const operators = operatorsOf(raised, nameOf);
  const end = Math.min(until, now);
  const windows = Math.max(1, (end - from) / FLOOD.within);
  const floods = floodsOf(times);
  const standing = alarms.filter(
    ({ since, goneAt, clearedAt }) => (goneAt || clearedAt || end) - since > STANDING,
  ).length;
  return {
    from,
    until,
    raised: raised.length,
    operators,
    per10Minutes: raised.length / windows / Math.max(1, operators.length),
    mostIn10Minutes: maxWithin(times),
    floods,
    floodShare: end > from ? floods.reduce((sum, flood) => sum + (flood.until - flood.from), 0) / (end - from) : 0,
    standing,
    standingShare: alarms.length === 0 ? 0 : standing / alarms.length,
    byPriority: { 1: count(raised, 1), 2: count(raised, 2), 3: count(raised, 3), 4: count(raised, 4) },
    byRule: byRule(raised),
  };
}

function count(alarms: readonly AlarmRecord[], priority: number): number {
  return alarms.filter((alarm) => alarm.priority === priority).length;
}

function operatorsOf(alarms: readonly AlarmRecord[], nameOf: (userId: number) => string): AlarmRate['operators'] {
  const answers = new Map<number, number[]>();
  for (const { acknowledgedBy, acknowledgedAt, raisedAt } of alarms) {
    if (acknowledgedBy > 0)
      answers.set(acknowledgedBy, [...(answers.get(acknowledgedBy) ?? []), Math.max(0, acknowledgedAt - raisedAt)]);
  }
  return [...answers]
    .map(([id, times]) => ({
      id,
      name: nameOf(id),
      acknowledged: times.length,
      meanAnswer: Math.round(times.reduce((sum, time) => sum + time, 0) / times.length),
    }))
    .sort((a, b) => b.acknowledged - a.acknowledged || a.id - b.id);
}

function byRule(alarms: readonly AlarmRecord[]): AlarmRate['byRule'] {
  const rules = new Map<string, { name: AlarmRecord['name']; count: number }>();
  for (const { rule, name } of alarms) rules.set(rule, { name, count: (rules.get(rule)?.count ?? 0) + 1 });
  return [...rules]
    .map(([rule, rest]) => ({ rule, ...rest }))
    .sort((a, b) => b.count - a.count || (a.rule < b.rule ? -1 : 1));
}

/** @param times ascending */
function maxWithin(times: readonly number[]): number {
  let most = 0;
  for (let first = 0, last = 0; last < times.length; last++) {
    while (times[last]! - times[first]! >= FLOOD.within) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

/**
 * Periods in which any 10 minutes hold more than 10; overlapping ones are joined.
 * @param times ascending
 */
function floodsOf(times: readonly number[]): AlarmRate['floods'] {
  const floods: { begin: number; end: number }[] = [];
  for (let first = 0, last = 0; last < times.length; last++) {
    while (times[last]! - times[first]! >= FLOOD.within) first++;
    if (last - first + 1 <= FLOOD.count) continue;
    const flood = floods.at(-1);
    if (flood && first <= flood.end) flood.end = last;
    else floods.push({ begin: first, end: last });
  }
  return floods.map(({ begin, end }) => ({ from: times[begin]!, until: times[end]!, count: end - begin + 1 }));
}
