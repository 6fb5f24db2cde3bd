export { startPlanner } from './planner.ts';
export type { PlannerOptions } from './planner.ts';
export { Router } from './router.ts';
export { UNREACHABLE } from './door.ts';
export type { Closure, Planner, Point, Route, RouteAnswer, RouteRequest, RouteStep, Snapped, Table, TableRequest } from './door.ts';
export { encodePolyline } from './polyline.ts';
