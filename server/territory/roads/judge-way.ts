import type { Tags } from '../extract.ts';
import { durationSeconds } from './duration.ts';
import { leadingInteger, speedLimit } from './speed-limit.ts';
import type { Profile } from './profile.ts';

/** How one kind of vehicle may use a way. */
export interface WayUse {
  /** km/h in and against the direction of drawing; 0: closed in this direction. */
  forward: number;
  backward: number;
  /** seconds for the whole way, where the way says so (ferries); speeds then only tell which directions are open. */
  duration: number | undefined;
  /** 1 driving, 2 ferry or train, 3 movable bridge. */
  mode: number;
  /** Whether trips may start and end on it. */
  startable: boolean;
  roundabout: boolean;
  /** Display name; empty when unnamed. */
  name: string;
}

/**
 * What a way means to a vehicle; undefined when it cannot be used at all. The order of evaluation is that of `spec/routing.md` 11.7:
 * gates, ferry or bridge, class speed with limit, caps, one-way, limits by direction, advice, narrowness, scaling.
 */
export function judgeWay(tags: Tags, profile: Profile): WayUse | undefined {
  const highway = tags.highway;
  const route = tags.route === undefined ? undefined : own(profile.routes, tags.route);
  const bridge = tags.bridge === 'movable' ? profile.movableBridge : undefined;
  if (highway === undefined && !route && !bridge) return undefined;

  for (const key in profile.closedWhen) {
    const value = tags[key];
    if (value !== undefined && profile.closedWhen[key]!.includes(value)) return undefined;
  }
  const access = accessValue(tags, profile);
  if (access !== undefined && profile.access.denied.includes(access)) return undefined;
  if (exceedsLimits(tags, profile)) return undefined;

  const limit = profile.maxspeed.obeyed ? speedLimit(tags.maxspeed, profile.maxspeed) : undefined;
  let mode = 1;
  let duration: number | undefined;
  let speed: number;
  const special = bridge ?? route;
  if (special) {
    mode = special.mode;
    speed = special.speed;
    duration = durationSeconds(tags.duration);
  } else {
    const listed = own(profile.speeds, highway!);
    if (listed !== undefined && listed > 0) {
      speed = limit === undefined ? listed : profile.maxspeed.raises ? limit : Math.min(listed, limit);
    } else {
      if (!profile.otherHighways || access === undefined || !profile.access.allowed.includes(access)) return undefined;
      speed = limit === undefined ? profile.otherSpeed : Math.min(profile.otherSpeed, limit);
    }
    for (const key in profile.caps) {
      const value = tags[key];
      const cap = value === undefined ? undefined : own(profile.caps[key]!, value);
      if (cap === undefined) continue;
      if (cap === 0) return undefined;
      speed = Math.min(speed, cap);
    }
  }

  const direction = onewayDirection(tags, profile);
  let forward = direction < 0 ? 0 : speed;
  let backward = direction > 0 ? 0 : speed;
  if (profile.maxspeed.obeyed && !special) {
    const along = speedLimit(tags['maxspeed:forward'], profile.maxspeed);
    const against = speedLimit(tags['maxspeed:backward'], profile.maxspeed);
    if (along !== undefined && forward > 0) forward = along;
    if (against !== undefined && backward > 0) backward = against;
    if (profile.maxspeed.advisory) {
      const advice = speedLimit(tags['maxspeed:advisory'], profile.maxspeed);
      const adviceAlong = speedLimit(tags['maxspeed:advisory:forward'], profile.maxspeed) ?? advice;
      const adviceAgainst = speedLimit(tags['maxspeed:advisory:backward'], profile.maxspeed) ?? advice;
      if (adviceAlong !== undefined && forward > 0) forward = adviceAlong;
      if (adviceAgainst !== undefined && backward > 0) backward = adviceAgainst;
    }
  }
  const narrow = isNarrow(tags, profile, direction !== 0);
  forward = driven(forward, profile, narrow);
  backward = driven(backward, profile, narrow);
  if (forward === 0 && backward === 0) return undefined;

  return {
    forward,
    backward,
    duration,
    mode,
    startable: !profile.notStartable.includes(mode),
    roundabout: tags.junction === 'roundabout',
    name: displayName(tags),
  };
}

/** The value of the most specific access key that is there. */
export function accessValue(tags: Tags, profile: Profile): string | undefined {
  for (const key of profile.access.keys) if (tags[key]) return tags[key];
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

/** Drawn sizes and weights that the vehicle does not fit under. `3.5`, `3.5 m`, `7.5 t` and `12'6"` are understood, anything else is not a limit. */
export function exceedsLimits(tags: Tags, profile: Profile): boolean {
  for (const [kind, own] of Object.entries(profile.limits)) {
    const posted = sizeOf(tags[`max${kind}`]);
    if (posted !== undefined && own !== undefined && own > posted) return true;
  }
  return false;
}

function sizeOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const feet = /^(\d+)'(?:\s*(\d+)")?$/.exec(value.trim());
  if (feet) return (+feet[1]! * 12 + +(feet[2] ?? 0)) * 0.0254;
  const metric = /^(\d+(?:[.,]\d+)?)\s*(m|t|kg)?$/.exec(value.trim());
  if (!metric) return undefined;
  const size = +metric[1]!.replace(',', '.');
  return metric[2] === 'kg' ? size / 1000 : size;
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

/** A value of a table by a key that came from outside: `constructor` is no speed. */
function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
