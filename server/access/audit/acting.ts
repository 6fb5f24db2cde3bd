import { AsyncLocalStorage } from 'node:async_hooks';
import type { AuditWay } from '../../../shared/audit.ts';

/** The actor of a request or a command. */
export interface Acting {
  readonly way: AuditWay;
  readonly userId: number | null;
  readonly login: string;
  readonly organizationId: number | null;
  readonly keyId: number | null;
  readonly address: string;
}

/** The station itself: its own actions, and changes that linked stations sent. */
export const STATION: Acting = {
  way: 'station',
  userId: null,
  login: '',
  organizationId: null,
  keyId: null,
  address: '',
};

/** `waypost user` and other commands on this machine, by any owner of the data. */
export const COMMAND: Acting = { ...STATION, way: 'command' };

interface Request {
  readonly acting: Acting;
  /** False after its end: a link or a timer that it started acts for the station. */
  open: boolean;
}

const requests = new AsyncLocalStorage<Request>();

/** Runs `work`; until it ends, the audit trail names `acting` as the author of changes. */
export async function actingAs<R>(acting: Acting, work: () => R): Promise<Awaited<R>> {
  const request = { acting, open: true };
  try {
    return await requests.run(request, work);
  } finally {
    request.open = false;
  }
}

/** The present actor. */
export function whoActs(): Acting {
  const request = requests.getStore();
  return request?.open === true ? request.acting : STATION;
}
