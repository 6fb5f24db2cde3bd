import type { DatabaseSync } from 'node:sqlite';
import type { Role } from '../../../../shared/records/accounts.ts';
import type { Records, Store } from '../../../store/types.ts';
import { isCalled, unknownRoles, type FactorRule } from './second-factor.ts';

interface FactorRolesOptions {
  readonly store: Pick<Store, 'sql' | 'writePlain'>;
  readonly roles: Records<Role>;
  readonly warn: (message: string) => void;
}

/**
 * Holds each role that a rule names by its id, so that a new name frees nobody from the second factor. A role is
 * held in the transaction that gives it the name, and until the name leaves the rule. Returns the end of this.
 */
export async function holdFactorRoles(
  rule: FactorRule & { readonly held: Set<number> },
  { store, roles, warn }: FactorRolesOptions,
): Promise<() => void> {
  const namesOf = (role: Role) => (role.isDeleted ? [] : rule.roles.filter((name) => isCalled(role, name)));
  const told = new Set<string>();
  const tell = (message: string) => {
    if (told.has(message)) return;
    told.add(message);
    warn(message);
  };
  const look = () => {
    const present = [...roles.all()].filter(({ isDeleted }) => !isDeleted);
    const rows = store.sql.prepare('SELECT name, role_id FROM factor_roles').all();
    for (const { name, role_id: id } of rows) {
      rule.held.add(Number(id));
      const role = present.find((one) => one.id === id);
      if (role && !isCalled(role, String(name)))
        tell(
          `signIn.secondFactorRoles names “${String(name)}”. That role is called “${role.name}” now, and its people still need a second factor.`,
        );
    }
    for (const name of unknownRoles(rule, present))
      if (!rows.some((row) => row['name'] === name && present.some(({ id }) => id === row['role_id'])))
        tell(`signIn.secondFactorRoles names “${name}”, and no role is called so.`);
  };
  await store.writePlain((sql) => {
    sql.exec(
      'CREATE TABLE IF NOT EXISTS factor_roles (name TEXT NOT NULL, role_id INTEGER NOT NULL, PRIMARY KEY (name, role_id))',
    );
    sql
      .prepare('DELETE FROM factor_roles WHERE name NOT IN (SELECT value FROM json_each(?))')
      .run(JSON.stringify(rule.roles));
    for (const role of roles.all()) for (const name of namesOf(role)) hold(sql, name, role.id);
  });
  look();
  const stopHolding = roles.beforeCommit((changes) => {
    for (const { record } of changes)
      for (const name of namesOf(record)) void store.writePlain((sql) => hold(sql, name, record.id));
  });
  const stopLooking = roles.watch(look);
  return () => {
    stopHolding();
    stopLooking();
  };
}

function hold(sql: DatabaseSync, name: string, roleId: number): void {
  sql.prepare('INSERT OR IGNORE INTO factor_roles (name, role_id) VALUES (?, ?)').run(name, roleId);
}
