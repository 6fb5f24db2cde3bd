import type { Detector } from './detector.ts';
import { analog } from './analog.ts';
import { arrivals, controlPoints } from './arrivals.ts';
import { digital } from './digital.ts';
import { failure } from './failure.ts';
import { fuel } from './fuel.ts';
import { plannedRoute } from './route.ts';
import { signal } from './signal.ts';
import { speed } from './speed.ts';
import { stop } from './stop.ts';
import { turn } from './turn.ts';
import { zones } from './zones.ts';

/**
 * All detectors over a track. Their order is part of the checkpoints: to change it, or a state, raise the
 * version of the checkpoints.
 */
export const DETECTORS: readonly Detector<never>[] = [
  stop,
  signal,
  turn,
  failure,
  speed,
  zones,
  digital,
  analog,
  fuel,
  arrivals,
  controlPoints,
  plannedRoute,
] as unknown as readonly Detector<never>[];
