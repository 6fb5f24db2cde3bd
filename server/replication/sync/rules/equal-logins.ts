import { loginKey } from '../../../access/accounts/index.ts';
import { stationOf } from '../../../../shared/merge/stamps.ts';
import type { User } from '../../../../shared/records/index.ts';
import type { Store } from '../../../store/index.ts';
import { byAge } from './by-age.ts';
import { report } from './reported.ts';
import type { SpanningRule } from './rule-runner.ts';

/** Two users with one login: the one who was made later becomes `LOGIN~NUMBER`, with the number of the station. */
export function equalLogins(store: Store): SpanningRule {
  const users = store.kind<User>('accounts', 'user');
  return {
    collections: ['accounts'],
    async restore(_collection, changes) {
      const logins = new Set(
        changes
          .filter(({ record, deleted }) => record.kind === 'user' && !deleted)
          .map(({ record }) => loginKey((record as unknown as User).login)),
      );
      if (logins.size === 0) return;
      for (const login of logins) {
        const [first, ...later] = users
          .all()
          .filter((user) => !user.isDeleted && loginKey(user.login) === login)
          .sort(byAge);
        for (const user of later) {
          const renamed = freeLogin(user, users.all());
          await users.change(user.id, (now) => (now.login === user.login ? { ...now, login: renamed } : now));
          await report(store, `login-twice|${user.key}|${login}`, {
            recordCollection: 'accounts',
            recordKey: user.key,
            recordId: user.id,
            taskId: 0,
            field: 'login',
            rule: 'login-twice',
            otherId: first!.id,
            kept: { value: renamed, stamp: user.hlc.base },
            lost: { value: user.login, stamp: user.hlc.base },
          });
        }
      }
    },
  };
}

function freeLogin({ login, hlc }: User, all: readonly User[]): string {
  const taken = new Set(all.filter((user) => !user.isDeleted).map((user) => loginKey(user.login)));
  let free = login;
  do free = `${free}~${stationOf(hlc.base)}`;
  while (taken.has(loginKey(free)));
  return free;
}
