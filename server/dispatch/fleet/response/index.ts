export { capabilityRules, kindRules, seedVehicleKinds, type CapabilityOrder, type KindOrder } from './vehicle-kinds.ts';
export {
  MOST_PLACES,
  planFor,
  planRules,
  withNeeds,
  type CallFacts,
  type KnownToPlans,
  type PlanOrder,
} from './response-plans.ts';
export {
  emptied,
  notAskedFor,
  propose,
  shortfallText,
  type CoverDistrict,
  type Emptied,
  type Proposal,
  type ProposedUnit,
  type Shortfall,
} from './proposal.ts';
export { cheapestAssignment } from './assignment.ts';
export { protocolRules, type ProtocolOrder } from './protocols.ts';
export { premiseNoteRules, type PremiseNoteOrder } from './premise-notes.ts';
export { Proposals, type ProposedResponse, type RankedVehicle, type RecommendOptions } from './proposals.ts';
