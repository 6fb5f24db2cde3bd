export { Fleet, type FleetKind, type FleetOptions, type RecommendOptions, type VehicleFilter, type VehicleView } from './fleet.ts';
export { LastStates } from './last-states.ts';
export { Mirror } from './mirror.ts';
export { rank, sayReason, STALE_POSITION, type Candidate, type Ranked, type Reason, type Travel } from './rank.ts';
export type { VehicleOrder } from './vehicle-order.ts';
