import type { User } from '../../../../shared/records/accounts.ts';

type SignInData = NonNullable<User['signIn']>;

const NOTHING: SignInData = { mustChange: false, totp: null, recoveryCodes: [], pinHash: null };

/** Recovery codes are removed with the last factor that they replace. */
export function withoutFactors(user: User): User {
  const isLeft = user.signIn?.totp != null || (user.signIn?.passkeys ?? []).length > 0;
  return isLeft || !user.signIn?.recoveryCodes.length ? user : changeSignIn(user, { recoveryCodes: [] });
}

/** The user with other data for signing in; the same object where nothing differs. */
export function changeSignIn(user: User, change: Partial<SignInData>): User {
  const before = user.signIn ?? NOTHING;
  const differs = Object.entries(change).some(([name, value]) => before[name as keyof SignInData] !== value);
  return differs ? { ...user, signIn: { ...before, ...change } } : user;
}
