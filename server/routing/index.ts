export { startPlanner } from './planner.ts';
export type { PlannerOptions } from './planner.ts';
export { Router } from './router.ts';
export { UNREACHABLE } from './types.ts';
export { notOnMap } from './answer/not-on-map.ts';
export { learnedTenths } from './metric/learned-costs.ts';
export { CLOSED, freeCosts } from './metric/costs.ts';
export { TrackMatcher } from './matching/match-track.ts';
export type { Driven, TrackFix } from './matching/match-track.ts';
export type {
  Area,
  Closure,
  Form,
  Heading,
  LearnedSpeeds,
  Planner,
  Coordinate,
  ReachAnswer,
  ReachRequest,
  Route,
  RouteAnswer,
  RouteForm,
  RouteRequest,
  RouteStep,
  SnappedPoint,
  Table,
  TableRequest,
} from './types.ts';
export { decodePolyline, encodePolyline } from './answer/polyline.ts';
