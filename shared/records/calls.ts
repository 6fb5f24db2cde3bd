import { z } from 'zod';
import { PlanNeed } from './fleet.ts';
import { Flag, Id, IdOrNone, Instant, recordFields, Text, Word } from './record.ts';

/** A telephone call that an exchange reported, or that somebody noted. A kind of the collection `fleet`. */
export const PhoneCall = z.object({
  ...recordFields,
  kind: z.literal('call'),
  /** The caller's name, if the exchange knows it. */
  name: Word,
  isDeleted: Flag,
  organizationId: Id,
  /** As the exchange wrote it, without spaces and signs; empty: withheld. */
  number: Word,
  line: Word,
  text: Text,
  point: z.object({ lat: z.number(), lon: z.number() }).nullable(),
  at: Instant,
  /** One value, so that a merge takes who and when from one station. */
  taken: z.object({ userId: Id, at: Instant }).nullable(),
  /** 0: it rings or is spoken. */
  endedAt: Instant,
  /** The task it led to. */
  taskId: IdOrNone,
});
export type PhoneCall = z.infer<typeof PhoneCall>;

/** One answer of a protocol's question, and its effects. */
export const ProtocolAnswer = z.object({
  text: Word,
  /** The question that follows; 0: the protocol ends. */
  nextId: IdOrNone,
  /** 1 (worst) to 4; 0: it says nothing of it. */
  priority: z.int().min(0).max(4),
  /** The type that the call then has; 0: the same. */
  typeId: IdOrNone,
  /** Advice to read to the caller. */
  advice: Text,
  /** Vehicles that are needed besides those of the response plan. */
  needs: z.array(PlanNeed),
});
export type ProtocolAnswer = z.infer<typeof ProtocolAnswer>;
export const ProtocolQuestion = z.object({
  /** Unique within its protocol. */
  id: Id,
  text: Word,
  answers: z.array(ProtocolAnswer),
});
export type ProtocolQuestion = z.infer<typeof ProtocolQuestion>;

/**
 * Questions for a caller. The first question begins; rules in `shared/calls/protocol.ts`. A kind of `fleet`.
 */
export const CallProtocol = z.object({
  ...recordFields,
  kind: z.literal('protocol'),
  name: Word,
  isDeleted: Flag,
  /** The types that it is for; empty: those without one. */
  typeIds: z.array(Id),
  questions: z.array(ProtocolQuestion),
});
export type CallProtocol = z.infer<typeof CallProtocol>;
