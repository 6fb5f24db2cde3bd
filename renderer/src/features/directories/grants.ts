import { ROLE_CAPABILITIES, type Role, type RoleCapability } from '../../../../shared/records/index.ts';

/** In any state, or in these ones. */
export type Grant = 'always' | readonly number[];
/** Capabilities that are not listed are forbidden. */
export type Grants = Partial<Readonly<Record<RoleCapability, Grant>>>;

/** Several rules for one capability are one: it holds in every state that one of them names. */
export function grantsOf(accesses: Role['accesses']): Grants {
  const grants: Partial<Record<RoleCapability, Grant>> = {};
  for (const { capability, stateIds } of accesses) {
    const name = ROLE_CAPABILITIES.find((one) => one === capability);
    if (!name) continue;
    const before = grants[name];
    grants[name] =
      stateIds === null || before === 'always'
        ? 'always'
        : [...new Set([...(before ?? []), ...stateIds])].sort((a, b) => a - b);
  }
  return Object.fromEntries(
    ROLE_CAPABILITIES.filter((name) => grants[name] !== undefined).map((name) => [name, grants[name]]),
  );
}

/** As the interface takes them; capabilities count from 1. */
export function accessesOf(grants: Grants): { capability_id: number; states: readonly number[] | null }[] {
  return ROLE_CAPABILITIES.flatMap((name, index) => {
    const grant = grants[name];
    return grant === undefined ? [] : [{ capability_id: index + 1, states: grant === 'always' ? null : grant }];
  });
}
