import type { Tags } from '../../extract/extract.ts';
import { durationSeconds } from './duration.ts';
import { leadingInteger, speedLimit } from './speed-limit.ts';
import type { Profile } from '../profiles/profile.ts';
import { fitOf } from './vehicle-limits.ts';

/** How one kind of vehicle may use a way. */
export interface WayUse {
  /** km/h in and against the direction of drawing; 0: closed in this direction. */
  forward: number;
  backward: number;
  /** Seconds for the whole way, if tagged (ferries); speeds then only show which directions are open. */
  duration: number | undefined;
  /**
   * In both directions of the drawn way: 1 driving, 2 ferry or train, 3 movable bridge; others are the
   * profile's own.
   */
  mode: number;
  modeBackward: number;
  /** Whether trips may start and end on it. */
  startable: boolean;
  roundabout: boolean;
  /** Display name; empty when unnamed. */
  name: string;
}

/** Called with the tag of an unreadable limit that closes the way to the vehicle. */
export type OnUnreadableLimit = (tag: string) => void;

/**
 * How a vehicle may use a way; undefined: not at all. Evaluated in this order: gates, ferry or bridge, class
 * speed with limit, caps, one-way, limits by direction, advice, narrowness, scaling.
 */
export function classifyWay(tags: Tags, profile: Profile, doubt?: OnUnreadableLimit): WayUse | undefined {
  const highway = tags.highway;
  const route = tags.route === undefined ? undefined : own(profile.routes, tags.route);
  const bridge = tags.bridge === 'movable' ? profile.movableBridge : undefined;
  if (highway === undefined && !route && !bridge) return undefined;

  for (const key in profile.closedWhen) {
    const value = tags[key];
    if (value !== undefined && profile.closedWhen[key]!.includes(value)) return undefined;
  }
  const access = accessOf(tags, profile);
  if (access === 'denied' && !opensOneWay(tags, profile)) return undefined;

  const limit = limitOf(tags, profile, '');
  const special = bridge ?? route;
  let modes = [1, 1] as readonly [number, number];
  let duration: number | undefined;
  let speeds: readonly [number, number];
  /** Speed of the class, if no limit raises it. */
  let classSpeeds: readonly [number, number] = [Infinity, Infinity];
  if (special) {
    modes = [special.mode, special.mode];
    speeds = [special.speed, special.speed];
    duration = durationSeconds(tags.duration);
  } else {
    const listed = byDirection(own(profile.speeds, highway!));
    if (listed && (listed[0] > 0 || listed[1] > 0)) {
      speeds = eachWay(listed, (speed) =>
        speed === 0 || limit === undefined ? speed : profile.maxspeed.raises ? limit : Math.min(speed, limit),
      );
    } else {
      if (!profile.otherHighways || access !== 'allowed') return undefined;
      speeds = eachWay([profile.otherSpeed, profile.otherSpeed], (speed) =>
        limit === undefined ? speed : Math.min(speed, limit),
      );
    }
    if (!profile.maxspeed.raises && !profile.maxspeed.raisesByDirection)
      classSpeeds = listed?.some((speed) => speed > 0) ? listed : [profile.otherSpeed, profile.otherSpeed];
    const ownModes = byDirection(own(profile.modes, highway!));
    if (ownModes) modes = ownModes;
    if (profile.durations) {
      duration = durationSeconds(tags.duration);
      const { mode } = profile.durations;
      if (duration !== undefined && mode !== undefined) modes = [mode, mode];
    }
    for (const key in profile.caps) {
      const value = tags[key];
      const cap = value === undefined ? undefined : own(profile.caps[key]!, value);
      if (cap === undefined) continue;
      if (cap === 0) return undefined;
      speeds = eachWay(speeds, (speed) => Math.min(speed, cap));
    }
  }

  const direction = onewayDirection(tags, profile);
  let forward = direction < 0 ? 0 : speeds[0];
  let backward = direction > 0 ? 0 : speeds[1];
  if (!special) {
    forward = Math.min(classSpeeds[0], directed(forward, tags, profile, ':forward'));
    backward = Math.min(classSpeeds[1], directed(backward, tags, profile, ':backward'));
  }
  const narrow = isNarrow(tags, profile, direction !== 0);
  const most = mostDriven(tags, profile);
  forward = Math.min(most, driven(forward, profile, narrow));
  backward = Math.min(most, driven(backward, profile, narrow));
  if (isShut(tags, profile, ':forward', forward > 0 ? doubt : undefined)) forward = 0;
  if (isShut(tags, profile, ':backward', backward > 0 ? doubt : undefined)) backward = 0;
  if ((forward === 0 && backward === 0) || isKeptOut(tags, profile, '', doubt)) return undefined;

  return {
    forward,
    backward,
    duration,
    mode: modes[0],
    modeBackward: modes[1],
    startable: !modes.some((mode) => profile.notStartable.includes(mode)),
    roundabout: tags.junction === 'roundabout',
    name: displayName(tags),
  };
}

/** The speed of one direction under its own limits and advice. */
function directed(speed: number, tags: Tags, profile: Profile, suffix: ':forward' | ':backward'): number {
  const rule = profile.maxspeed;
  if (speed === 0 || !rule.obeyed) return speed;
  let now = speedLimit(tags[`maxspeed${suffix}`], rule) ?? speed;
  if (rule.advisory)
    now = speedLimit(tags[`maxspeed:advisory${suffix}`], rule) ?? speedLimit(tags['maxspeed:advisory'], rule) ?? now;
  return Math.min(now, ownLimit(tags, rule, suffix) ?? now, ownLimit(tags, rule, '') ?? now);
}

/** The general limit of the way. */
function limitOf(tags: Tags, { maxspeed }: Profile, suffix: string): number | undefined {
  return maxspeed.obeyed ? speedLimit(tags[`maxspeed${suffix}`], maxspeed) : undefined;
}

/** The least limit for this kind of vehicle. */
function ownLimit(tags: Tags, rule: Profile['maxspeed'], suffix: string): number | undefined {
  let least: number | undefined;
  for (const key of rule.vehicles) {
    const limit = speedLimit(tags[`maxspeed:${key}${suffix}`], rule);
    if (limit !== undefined) least = Math.min(limit, least ?? limit);
  }
  return least;
}

/** km/h that are driven at most. */
function mostDriven(tags: Tags, profile: Profile): number {
  let most = Infinity;
  for (const key in profile.drivenCaps) {
    const value = tags[key];
    most = Math.min(most, (value === undefined ? undefined : own(profile.drivenCaps[key]!, value)) ?? most);
  }
  return most;
}

/** Whether a direction is closed to the vehicle by its own access tag or limit. */
function isShut(
  tags: Tags,
  profile: Profile,
  suffix: ':forward' | ':backward',
  doubt: OnUnreadableLimit | undefined,
): boolean {
  return (
    (profile.access.directional && accessOf(tags, profile, suffix) === 'denied') ||
    isKeptOut(tags, profile, suffix, doubt)
  );
}

/** Whether a way that is closed to the vehicle is open in one direction. */
function opensOneWay(tags: Tags, profile: Profile): boolean {
  return (
    profile.access.directional &&
    [':forward', ':backward'].some((suffix) => accessOf(tags, profile, suffix) !== 'denied')
  );
}

/** An unreadable limit closes the way only at bridges, tunnels and covered ways. */
function isKeptOut(tags: Tags, profile: Profile, suffix: string, doubt: OnUnreadableLimit | undefined): boolean {
  const fit = fitOf(tags, profile, suffix);
  if (fit === 'fits' || fit === 'exceeds') return fit === 'exceeds';
  if (![tags.bridge, tags.tunnel, tags.covered].some((value) => value && value !== 'no')) return false;
  doubt?.(fit.unreadable);
  return true;
}

type Each<T> = T | { readonly forward: T; readonly backward: T };

function byDirection(value: Each<number> | undefined): readonly [number, number] | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'number' ? [value, value] : [value.forward, value.backward];
}

function eachWay(
  [forward, backward]: readonly [number, number],
  change: (speed: number) => number,
): readonly [number, number] {
  return [change(forward), change(backward)];
}

/** The value of the most specific access key present. `overruled`: it denies, but not this vehicle. */
export function accessOf(
  tags: Tags,
  profile: Profile,
  suffix = '',
): 'denied' | 'overruled' | 'allowed' | 'said' | undefined {
  const { keys, denied, overruled, allowed } = profile.access;
  for (const key of keys) {
    const value = (suffix && tags[key + suffix]) || tags[key];
    if (!value) continue;
    if (denied.includes(value)) return overruled.includes(key) ? 'overruled' : 'denied';
    return allowed.includes(value) ? 'allowed' : 'said';
  }
  return undefined;
}

/** 1 with, -1 against the direction of drawing only, 0 both. */
function onewayDirection(tags: Tags, profile: Profile): -1 | 0 | 1 {
  const rule = profile.oneway;
  if (rule.roundabouts && tags.junction === 'roundabout') return tags.oneway === '-1' ? -1 : 1;
  if (!rule.obeyed) return 0;
  for (const key of rule.keys) {
    const value = tags[key];
    if (!value) continue;
    if (value === 'yes' || value === '1' || value === 'true') return 1;
    if (value === '-1') return -1;
    if (value === 'no' || key !== 'oneway') return 0;
  }
  return tags.highway !== undefined && rule.implied.includes(tags.highway) ? 1 : 0;
}

function isNarrow(tags: Tags, profile: Profile, oneway: boolean): boolean {
  if (!profile.narrow) return false;
  const width = leadingInteger(tags.width);
  if (width !== undefined && width <= profile.narrow.width) return true;
  const lanes = leadingInteger(tags.lanes);
  return !oneway && lanes !== undefined && lanes <= profile.narrow.lanes;
}

function driven(speed: number, profile: Profile, narrow: boolean): number {
  if (speed <= 0) return 0;
  const scaled = profile.scale.factor * speed + profile.scale.offset;
  return narrow && profile.narrow ? Math.min(speed * profile.narrow.factor, scaled) : scaled;
}

/** `name (ref)` if both, else whichever exists; cut to 255 bytes of UTF-8 at a character. */
export function displayName(tags: Tags): string {
  const { name, ref } = tags;
  return cutToBytes(name && ref ? `${name} (${ref})` : name || ref || '', 255);
}

function cutToBytes(text: string, bytes: number): string {
  if (text.length * 3 <= bytes) return text;
  const room = new Uint8Array(bytes);
  const { read } = new TextEncoder().encodeInto(text, room);
  return text.slice(0, read);
}

/** A table lookup with an untrusted key: `constructor` is no speed. */
function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
