export { startPlanner } from './planner.ts';
export type { PlannerOptions } from './planner.ts';
export { Router } from './router.ts';
export { UNREACHABLE } from './door.ts';
export { learnedTenths } from './learned-costs.ts';
export { TrackMatcher } from './match-track.ts';
export type { Driven, TrackFix } from './match-track.ts';
export type { Area, Closure, Heading, LearnedSpeeds, Planner, Point, ReachAnswer, ReachRequest, Route, RouteAnswer, RouteRequest, RouteStep, Snapped, Table, TableRequest } from './door.ts';
export { decodePolyline, encodePolyline } from './polyline.ts';
