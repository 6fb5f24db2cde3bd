export { startPlanner } from './planner.ts';
export type { PlannerOptions } from './planner.ts';
export { Router } from './router.ts';
export { UNREACHABLE } from './door.ts';
export { notOnMap } from './not-on-map.ts';
export { learnedTenths } from './learned-costs.ts';
export { CLOSED, freeCosts } from './metric.ts';
export { TrackMatcher } from './match-track.ts';
export type { Driven, TrackFix } from './match-track.ts';
export type {
  Area,
  Closure,
  Form,
  Heading,
  LearnedSpeeds,
  Planner,
  Point,
  ReachAnswer,
  ReachRequest,
  Route,
  RouteAnswer,
  RouteForm,
  RouteRequest,
  RouteStep,
  Snapped,
  Table,
  TableRequest,
} from './door.ts';
export { decodePolyline, encodePolyline } from './polyline.ts';
