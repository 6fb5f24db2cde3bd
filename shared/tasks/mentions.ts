/** A place in a text that names somebody: `@` and the login. */
export interface Mention<T> {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly who: T;
}

/** An `@` within a word, as in an e-mail address, names nobody. */
const TOKEN = /(?<![\p{L}\p{N}._%+-])@([^\s\p{C}@]{1,100})/gu;
const IN_WORD = /^[\p{L}\p{N}_]/u;

/** Logins are compared without regard to case and Unicode composition. */
export function mentionKey(login: string): string {
  return login.normalize('NFKC').toLowerCase();
}

/**
 * The people that a text mentions, in order. Of several logins that match a token the longest counts: a dot
 * after it may end the sentence, or belong to it. @param find who has this `mentionKey`
 */
export function mentionsIn<T>(text: string, find: (key: string) => T | undefined): Mention<T>[] {
  const found: Mention<T>[] = [];
  for (const { index, 1: token = '' } of text.matchAll(TOKEN)) {
    for (let length = token.length; length > 0; length--) {
      if (length < token.length && IN_WORD.test(token.slice(length))) continue;
      const who = find(mentionKey(token.slice(0, length)));
      if (who === undefined) continue;
      found.push({ start: index, end: index + 1 + length, who });
      break;
    }
  }
  return found;
}

/** Reasons why a task concerns a person, for the list *For me*. */
export interface TaskConcern {
  readonly authorId: number;
  readonly assignedUserId: number;
  readonly assignedOrganizationId: number;
  readonly assignedVehicleId: number;
  readonly units?: Readonly<Record<string, { readonly vehicleId: number; readonly clearAt: number }>> | undefined;
  readonly watcherIds?: readonly number[] | undefined;
  readonly mentions?: Readonly<Record<string, number>> | undefined;
}

/** A person who views a task. */
export interface ConcernedPerson {
  readonly id: number;
  readonly organizationId: number;
  /** The vehicles on which they are on duty. */
  readonly vehicleIds: readonly number[];
}

/**
 * They wrote it, watch it, were named in it, or it is assigned to them, to their organization, or to a vehicle on
 * which they are on duty.
 */
export function concernsPerson(task: TaskConcern, { id, organizationId, vehicleIds }: ConcernedPerson): boolean {
  return (
    task.authorId === id ||
    task.assignedUserId === id ||
    (organizationId !== 0 && task.assignedOrganizationId === organizationId) ||
    task.watcherIds?.includes(id) === true ||
    task.mentions?.[id] !== undefined ||
    vehicleIds.some((vehicleId) => isSentTo(task, vehicleId))
  );
}

function isSentTo({ assignedVehicleId, units = {} }: TaskConcern, vehicleId: number): boolean {
  if (assignedVehicleId === vehicleId) return true;
  return Object.values(units).some((unit) => unit.vehicleId === vehicleId && unit.clearAt === 0);
}
