import { MISSING } from '../../extract/extract.ts';
import type { OsmExtract, OsmRelation, Tags } from '../../extract/extract.ts';
import type { Profile } from '../profiles/profile.ts';

/** Movements over one node, by the neighbours on either side; road nodes. */
export interface Restriction {
  readonly from: number;
  readonly to: number;
}

interface ViaRules {
  /** The only allowed next neighbour after each neighbour, where a mandatory restriction sets one. */
  readonly only: Map<number, number>;
  readonly forbidden: Restriction[];
}

export interface Restrictions {
  /** By road node. */
  readonly at: Map<number, ViaRules>;
  /** Relations like restrictions that cannot be used: cut off, with a way as via, or broken. */
  readonly passedOver: number;
}

/** Reads the turn restrictions for the profile. */
export function readRestrictions(extract: OsmExtract, roadNode: Uint32Array, profile: Profile): Restrictions {
  const at = new Map<number, ViaRules>();
  let passedOver = 0;
  if (!profile.turns.restrictions) return { at, passedOver };
  for (const relation of extract.relations) {
    const value = restrictionValue(relation, profile);
    if (value === undefined) continue;
    const movement = movementOf(relation, extract, roadNode);
    if (!movement) {
      passedOver++;
      continue;
    }
    const { via, from, to } = movement;
    let rules = at.get(via);
    if (!rules) at.set(via, (rules = { only: new Map(), forbidden: [] }));
    if (!value.startsWith('only_')) rules.forbidden.push({ from, to });
    else if (!rules.only.has(from)) rules.only.set(from, to);
  }
  return { at, passedOver };
}

/**
 * Whether a movement over a node is allowed. A mandatory way on overrides every other rule, even if it cannot
 * be entered itself.
 */
export function permits(rules: ViaRules | undefined, from: number, to: number): boolean {
  if (!rules) return true;
  const only = rules.only.get(from);
  if (only !== undefined) return only === to;
  return !rules.forbidden.some((movement) => movement.from === from && movement.to === to);
}

/** Whether a relation is a turn restriction for any vehicle. */
export function looksLikeRestriction(tags: Tags): boolean {
  return Object.keys(tags).some((key) => key === 'restriction' || key.startsWith('restriction:'));
}

/** The value of the restriction, if the relation is one and applies to this kind of vehicle. */
function restrictionValue(relation: OsmRelation, profile: Profile): string | undefined {
  const { tags } = relation;
  const kinds = profile.turns.restrictionKeys;
  if (tags.except?.split(';').some((kind) => kinds.includes(kind.trim()))) return undefined;
  for (const key in tags) {
    if (key === 'restriction') return tags[key];
    if (key.startsWith('restriction:') && kinds.some((kind) => key.endsWith(`:${kind}`))) return tags[key];
  }
  return undefined;
}

function movementOf(
  relation: OsmRelation,
  extract: OsmExtract,
  roadNode: Uint32Array,
): { from: number; via: number; to: number } | undefined {
  const member = (role: string, type: string): number | undefined =>
    relation.members.find((m) => m.role === role && m.type === type)?.id;
  const viaId = member('via', 'node');
  const fromId = member('from', 'way');
  const toId = member('to', 'way');
  if (viaId === undefined || fromId === undefined || toId === undefined) return undefined;
  const viaNode = extract.nodes.find(viaId);
  if (viaNode < 0 || roadNode[viaNode] === MISSING) return undefined;
  const from = neighbourOnWay(extract, extract.ways.find(fromId), viaNode, 'last');
  const to = neighbourOnWay(extract, extract.ways.find(toId), viaNode, 'first');
  if (from === undefined || to === undefined || roadNode[from] === MISSING || roadNode[to] === MISSING)
    return undefined;
  return { via: roadNode[viaNode]!, from: roadNode[from]!, to: roadNode[to]! };
}

/**
 * The node of the way next to one of its ends; on a ring, which begins and ends there, next to the given end.
 */
function neighbourOnWay(
  extract: OsmExtract,
  way: number,
  end: number,
  preferred: 'first' | 'last',
): number | undefined {
  if (way < 0) return undefined;
  const { refs, first } = extract.ways;
  const start = first[way]!;
  const last = first[way + 1]! - 1;
  const isFirst = refs[start] === end && (preferred === 'first' || refs[last] !== end);
  if (!isFirst && refs[last] !== end) return undefined;
  let at = isFirst ? start : last;
  // A repeated node makes no piece.
  while (at >= start && at <= last && refs[at] === end) at += isFirst ? 1 : -1;
  return at < start || at > last || refs[at] === MISSING ? undefined : refs[at]!;
}
