import { ROUNDABOUT, isUTurn } from '../../territory/roads/reading.ts';
import type { Roads } from '../../territory/roads/reading.ts';
import { turnCode } from '../answer/trip-drawer.ts';
import type { IncomingArcs } from '../graph/incoming-arcs.ts';
import { angleOf, goesBack, intersectionAt, type Intersection } from './intersections.ts';
import type { Crossing, TracedLeg } from './trace-leg.ts';

export type ManeuverType =
  | 'depart'
  | 'arrive'
  | 'turn'
  | 'new name'
  | 'continue'
  | 'end of road'
  | 'fork'
  | 'notification'
  | 'roundabout'
  | 'rotary'
  | 'exit roundabout'
  | 'exit rotary';

/** A step of a leg, from its maneuver to the next one. */
export interface TracedStep {
  type: ManeuverType;
  modifier?: string;
  /** Which exit of the roundabout is taken. */
  exit?: number;
  /** Vertex of the maneuver, and of the next one. */
  vertex: number;
  end: number;
  /** The arc after the maneuver. */
  arc: number;
  /** Number of the name of the road after it; in a roundabout, after leaving that. */
  name: number;
  /** Number of the name of the roundabout. */
  rotary?: number;
  mode: number;
  /** Crossings on the step: that of the maneuver first, if it has one. */
  crossings: Crossing[];
}

const MODIFIERS = [
  '',
  'straight',
  'slight right',
  'right',
  'sharp right',
  'uturn',
  'sharp left',
  'left',
  'slight left',
] as const;
const STRAIGHT = 'straight';
/** Degrees off straight on, up to which a road counts as ahead. */
const AHEAD = 45;

export function modifierOf(angle: number): string {
  return MODIFIERS[turnCode(angle)]!;
}

/** Divides legs into steps. Where they begin follows the rules of the room's README (rule 5). */
export class StepFinder {
  readonly #roads: Roads;
  readonly #incoming: IncomingArcs;

  constructor(roads: Roads, incoming: IncomingArcs) {
    this.#roads = roads;
    this.#incoming = incoming;
  }

  stepsOf(leg: TracedLeg): TracedStep[] {
    const begun = this.#step('depart', 0, leg.first);
    const steps = [begun];
    /** The step that entered the roundabout on which the leg is. */
    let ring: TracedStep | undefined = this.#isRoundabout(leg.first) ? begun : undefined;
    let exits = 0;
    for (const crossing of leg.crossings) {
      const { from, onto, vertex } = crossing;
      const isOn = this.#isRoundabout(onto);
      let next: TracedStep | undefined;
      if (isOn && !this.#isRoundabout(from)) {
        next = this.#enter(crossing);
        ring = next;
        exits = 0;
      } else if (isOn) {
        if (this.#exitCount(from) > 1) exits++;
      } else if (this.#isRoundabout(from)) {
        next = this.#leave(crossing, ring, exits + 1);
        ring = undefined;
      } else next = this.#turn(crossing);
      if (next) {
        steps.at(-1)!.end = vertex;
        steps.push(next);
      }
      steps.at(-1)!.crossings.push(crossing);
    }
    const last = leg.lat.length - 1;
    steps.at(-1)!.end = last;
    steps.push({ ...this.#step('arrive', last, leg.last), end: last });
    return steps;
  }

  #step(type: ManeuverType, vertex: number, arc: number): TracedStep {
    const name = this.#roads.columns.segmentName[arc >> 1]!;
    return { type, vertex, end: vertex, arc, name, mode: this.#roads.mode(arc), crossings: [] };
  }

  #enter({ from, onto, vertex }: Crossing): TracedStep {
    const step = this.#step('roundabout', vertex, onto);
    const rotary = step.name;
    const isNamed = rotary !== 0 && rotary !== this.#roads.columns.segmentName[from >> 1];
    return {
      ...step,
      modifier: modifierOf(angleOf(from, onto, this.#roads)),
      ...(isNamed && { type: 'rotary', rotary }),
    };
  }

  #leave({ from, onto, vertex }: Crossing, ring: TracedStep | undefined, exit: number): TracedStep {
    const step = this.#step(ring?.rotary === undefined ? 'exit roundabout' : 'exit rotary', vertex, onto);
    if (ring && ring.type !== 'depart') {
      ring.exit = exit;
      ring.name = step.name;
    }
    return { ...step, modifier: modifierOf(angleOf(from, onto, this.#roads)), exit };
  }

  /** The step that begins with a turn; undefined where there is nothing to say. */
  #turn(crossing: Crossing): TracedStep | undefined {
    const { from, onto, vertex } = crossing;
    const step = this.#step('turn', vertex, onto);
    const before = this.#roads.columns.segmentName[from >> 1]!;
    const isSameName = step.name === before && step.name !== 0;
    if (goesBack(crossing, this.#roads))
      return { ...step, type: step.name === before ? 'continue' : 'turn', modifier: 'uturn' };
    const angle = angleOf(from, onto, this.#roads);
    const modifier = modifierOf(angle);
    if (isUTurn(angle)) return { ...step, type: step.name === before ? 'continue' : 'turn', modifier };
    if (this.#roads.mode(from) !== step.mode) return { ...step, type: 'notification', modifier };
    if (isSameName) return undefined;
    const at = intersectionAt(crossing, this.#roads, this.#incoming);
    if (at.roads.length <= 2) return step.name === before ? undefined : { ...step, type: 'new name', modifier };
    const choice = this.#choice(at, angle);
    if (choice) return { ...step, type: choice.type, modifier: choice.modifier ?? modifier };
    if (modifier === STRAIGHT) {
      if (step.name === before) return undefined;
      return { ...step, type: 'new name', modifier };
    }
    return { ...step, modifier };
  }

  /** The end of a road that meets another across, or a fork into two roads ahead. */
  #choice({ roads, in: arriving }: Intersection, taken: number): Pick<TracedStep, 'type' | 'modifier'> | undefined {
    const others = roads.filter(({ entry }, i) => entry && i !== arriving);
    if (others.length < 2) return undefined;
    const off = (angle: number): number => Math.abs(angle - 180);
    if (roads.every(({ angle }, i) => i === arriving || off(angle) > AHEAD)) return { type: 'end of road' };
    const ahead = others.filter(({ angle }) => off(angle) < AHEAD);
    if (off(taken) >= AHEAD || ahead.length !== 2) return undefined;
    const other = ahead.find(({ angle }) => angle !== taken);
    // One of the two leads straight on: then the other one is a turn.
    if (!other || Math.abs(off(taken) - off(other.angle)) > AHEAD / 2) return undefined;
    return { type: 'fork', modifier: taken < other.angle ? 'slight right' : 'slight left' };
  }

  #isRoundabout(arc: number): boolean {
    return (this.#roads.columns.segmentFlags[arc >> 1]! & ROUNDABOUT) !== 0;
  }

  #exitCount(arc: number): number {
    const { turnFirst, turnHead } = this.#roads.columns;
    let ways = 0;
    for (let turn = turnFirst[arc]!; turn < turnFirst[arc + 1]!; turn++) if (turnHead[turn] !== (arc ^ 1)) ways++;
    return ways;
  }
}
