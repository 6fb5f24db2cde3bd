export { startPlanner } from './planner.ts';
export type { PlannerOptions } from './planner.ts';
export { Router } from './router.ts';
export { UNREACHABLE } from './types.ts';
export { notOnMap } from './answer/not-on-map.ts';
export { learnedArcCost } from './metric/learned-costs.ts';
export { CLOSED_COST, freeFlowCosts } from './metric/costs.ts';
export { TrackMatcher } from './matching/match-track.ts';
export type { MatchedStretch, TrackFix } from './matching/match-track.ts';
export type {
  IsochroneArea,
  Closure,
  AnswerFormat,
  Heading,
  LearnedSpeeds,
  Planner,
  Coordinate,
  IsochroneAnswer,
  IsochroneRequest,
  Route,
  RouteAnswer,
  RouteFormat,
  RouteRequest,
  RouteStep,
  SnappedPoint,
  Table,
  TableRequest,
} from './types.ts';
export { readPolyline, encodePolyline } from './answer/polyline.ts';
export { ANNOTATIONS } from './types.ts';
export type {
  DirectionsAnswer,
  DirectionsForm,
  DirectionsFailure,
  DirectionsRequest,
  MatchRequest,
  TripRequest,
} from './types.ts';
