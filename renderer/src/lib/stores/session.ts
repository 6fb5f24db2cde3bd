import { defineStore } from 'pinia';
import { computed, markRaw, ref, shallowRef } from 'vue';
import { ZonedTime } from '../../../../shared/zoned-time.ts';
import { ApiError, Client } from '../api/client.ts';
import {
  administersAll as isOfAll,
  mayChangeRoads as mayChange,
  mayCommandDevices as mayCommand,
  mayKeepPlaces as mayKeep,
  mayReadCodes as mayRead,
  maySharePresets as mayShare,
  maySwitchSpeeds as maySwitch,
} from '../../../../shared/access.ts';
import { ROLE_CAPABILITIES, type Capability } from '../../../../shared/records/accounts.ts';
import { desktopProgram } from '../desktop/desktop-notices.ts';
import { KeptRecords } from '../replica/kept-records.ts';
import type { CurrentUser, Health } from '../api/types.ts';
import { usePreferences } from './preferences.ts';

/** A credential of the browser's authenticator. */
export interface Credential {
  readonly id: string;
  readonly response: { readonly clientDataJSON: string; readonly [name: string]: unknown };
  readonly [name: string]: unknown;
}

/** Pages that the station requires before any other. */
export const FIRST_DUTIES = ['/new-password', '/second-factor'] as const;

/** The user of this console, and the client that asks in their name. */
export const useSession = defineStore('session', () => {
  const client = markRaw(new Client());
  const preferences = usePreferences();
  const user = shallowRef<CurrentUser>();
  const health = shallowRef<Health>();
  /**
   * The clock by which the interface's times without an offset go; it may be another than that of this
   * machine, by which times are shown and typed.
   */
  const stationTime = computed(() => (health.value ? new ZonedTime(health.value.zone) : ZonedTime.here()));
  /** Undefined until it was asked. */
  const firstRunNeeded = ref<boolean>();
  /** The order needs the code of the program's start. */
  const firstRunNeedsCode = ref(false);

  /** Somebody has signed in at this page; false after a reload, which resumes the session of the cookie. */
  const hasSignedIn = ref(false);
  /** A password that an administrator set, or no second factor where one is required: nothing else opens before. */
  const firstDuty = ref<(typeof FIRST_DUTIES)[number]>();
  /** The station lets consoles keep records in the browser. */
  const keepsRecords = ref(true);
  /** The station ended the session; the user did not sign out. */
  const ended = ref(false);
  let leaving = false;
  client.onUnauthorized = () => {
    ended.value = !leaving;
    user.value = undefined;
  };

  const accesses = computed(() =>
    (user.value?.right?.accesses ?? []).map(({ capability_id: id, states }) => ({
      capability: ROLE_CAPABILITIES[id - 1]!,
      stateIds: states,
    })),
  );
  const allowed = computed(() => new Set(accesses.value.map(({ capability }) => capability)));
  /**
   * Whether this person may do such a thing at all. The station decides about the single task; this hides
   * buttons that it would always refuse.
   */
  const can = (capability: Capability) => user.value?.right?.admin === true || allowed.value.has(capability);
  const role = computed(() => ({
    admin: user.value?.right?.admin === true,
    superuser: user.value?.right?.wheel === true,
    accesses: accesses.value,
  }));
  /** May this person close roads? It has no single task whose state could decide. */
  const mayChangeRoads = computed(() => mayChange({ role: role.value }));
  /** May this person make and change own places, and read their codes? */
  const mayKeepPlaces = computed(() => mayKeep({ role: role.value }));
  const mayReadCodes = computed(() => mayRead({ role: role.value }));
  /** May this person send commands to trackers? */
  const mayCommandDevices = computed(() => mayCommand({ role: role.value }));
  /** May this person share layouts and views with others? */
  const maySharePresets = computed(() => mayShare({ role: role.value }));
  /** May this person say by which speeds the station reckons? */
  const maySwitchSpeeds = computed(() => maySwitch({ role: role.value }));
  /** Whether this person may change things of the whole station, such as its links. */
  const isSuperuser = computed(() => role.value.superuser);
  /** May this person write what acts on every organisation? */
  const administersAll = computed(() => isOfAll({ role: role.value }));

  async function greet(who: CurrentUser) {
    const account = await client.request('get', '/auth/account');
    firstDuty.value = account.mustChangePassword
      ? '/new-password'
      : account.mustSetUpSecondFactor
        ? '/second-factor'
        : undefined;
    keepsRecords.value = account.keepsRecords;
    user.value = who;
    ended.value = false;
    preferences.belongTo(who.login);
    if (!firstDuty.value) void preferences.followPerson(client);
  }

  /** Takes up the session that the cookie still holds, if any. */
  async function resume(): Promise<void> {
    const [state, first] = await Promise.allSettled([
      client.request('get', '/health'),
      client.request('get', '/first-run'),
    ]);
    if (state.status === 'fulfilled') health.value = state.value as Health;
    firstRunNeeded.value = first.status === 'fulfilled' && first.value.needed;
    firstRunNeedsCode.value = first.status === 'fulfilled' && first.value.code === true;
    try {
      await greet(await client.request('get', '/users/current'));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      void KeptRecords.forget(); // the user has signed out, or the session has ended
    }
  }

  /** `factor`: a code or a passkey, if the station asks for it. */
  async function signIn(
    login: string,
    password: string,
    factor: { code?: string; passkey?: Credential } = {},
  ): Promise<void> {
    const answer = await client.request('post', '/auth/login', { body: { login, password, ...factor } });
    hasSignedIn.value = true;
    await greet(answer.user);
  }

  /** With what a passkey has signed. */
  async function signInByPasskey(credential: Credential): Promise<void> {
    const answer = await client.request('post', '/auth/passkey', { body: { credential } });
    hasSignedIn.value = true;
    await greet(answer.user);
  }

  /** With what the browser of the machine brought the desktop program. */
  async function signInByHandOver(code: string, verifier: string): Promise<void> {
    await client.request('post', '/auth/oidc/hand-over', { body: { code, verifier } });
    hasSignedIn.value = true;
    await refreshUser();
  }

  /** After the own password was changed. */
  async function refreshUser(): Promise<void> {
    await greet(await client.request('get', '/users/current'));
  }

  async function signOut(): Promise<void> {
    leaving = true;
    const answer = await client.request('post', '/auth/logout').catch(() => undefined); // it ends here in any case
    user.value = undefined;
    // The desktop program opens no pages of others; the provider's session is that of the machine's browser.
    if (answer?.provider && !desktopProgram()) location.assign(answer.provider);
  }

  async function firstRun(order: {
    organization: string;
    login: string;
    fio: string;
    password: string;
    code?: string;
  }): Promise<void> {
    await client.request('post', '/first-run', { body: order });
    firstRunNeeded.value = false;
    await signIn(order.login, order.password);
  }

  async function refreshHealth(): Promise<Health> {
    return (health.value = (await client.request('get', '/health')) as Health);
  }

  return {
    client,
    user,
    ended,
    hasSignedIn,
    firstDuty,
    keepsRecords,
    health,
    stationTime,
    firstRunNeeded,
    firstRunNeedsCode,
    can,
    mayChangeRoads,
    mayKeepPlaces,
    mayReadCodes,
    mayCommandDevices,
    maySharePresets,
    maySwitchSpeeds,
    administersAll,
    isSuperuser,
    resume,
    signIn,
    signInByPasskey,
    signInByHandOver,
    refreshUser,
    signOut,
    firstRun,
    refreshHealth,
  };
});
