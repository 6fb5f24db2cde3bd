import type { Audit } from '../audit/index.ts';

/** Where accounts report sign-ins and keys: the audit trail. */
export type AuditReport = Pick<Audit, 'record' | 'recordOrMiss'>;

/** For stores without a trail: tests and benchmarks of other things. */
export const NO_AUDIT: AuditReport = { record: async () => undefined, recordOrMiss: async () => undefined };
