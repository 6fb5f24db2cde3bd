import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';
import { ApiError } from '../api/client.ts';
import type { AnswerOf } from '../api/operations.ts';
import { useSession } from './session.ts';

export type Account = AnswerOf<'get', '/auth/account'>;

/** All windows of this browser lock together, and a reload does not unlock. */
const LOCKED = 'waypost.locked';

/** How the signed-in person signs in, and whether the screen is locked. */
export const useAccount = defineStore('account', () => {
  const { client } = useSession();
  const account = shallowRef<Account>();
  const isLocked = ref(localStorage.getItem(LOCKED) !== null);
  window.addEventListener('storage', ({ key }) => {
    if (key === LOCKED || key === null) isLocked.value = localStorage.getItem(LOCKED) !== null;
  });

  async function load(): Promise<void> {
    try {
      account.value = await client.request('get', '/auth/account');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
  function lock(): void {
    localStorage.setItem(LOCKED, 'locked');
    isLocked.value = true;
  }
  /** Without a question: somebody else signs in, or the station has just said that the secret is right. */
  function release(): void {
    localStorage.removeItem(LOCKED);
    isLocked.value = false;
  }
  async function unlock(secret: string): Promise<void> {
    await client.request('post', '/auth/unlock', { body: { secret } });
    release();
  }
  return { account, isLocked, load, lock, release, unlock };
});
