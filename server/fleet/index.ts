export {
  Fleet,
  type FleetOptions,
  type ProposedResponse,
  type RankedVehicle,
  type RecommendOptions,
  type VehicleFilter,
  type VehicleView,
} from './fleet.ts';
export * from './response/index.ts';
export { LastStates } from './last-states.ts';
export { Mirror } from './mirror.ts';
export { rank, reasonText, type VehicleCandidate, type Ranked, type RankReason, type Travel } from './rank.ts';
export type { VehicleOrder } from './vehicle-order.ts';
export { FleetDirectory, named, type DirectoryRules } from './directory.ts';
export type { GeozoneOrder } from './geozones.ts';
export type { Picture } from './icons.ts';
export { kmNextTo, engineHours, type Ran } from './running.ts';
export type { RouteOrder } from './planned-routes.ts';
export type { SensorOrder } from './sensors.ts';
export type { DriverOrder, GroupOrder, ModelOrder } from './small-lists.ts';
export { defaultValueOf, inDisplayOrder, presentVehicleValues, type VehicleFieldOrder } from './vehicle-fields.ts';
export { replicatedFleetEntry, replicatedVehicle } from './replica-access.ts';
export { VehicleFills } from './fill/vehicle-fills.ts';
