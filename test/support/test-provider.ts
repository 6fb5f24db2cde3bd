import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

const CLIENT = { client_id: 'waypost', client_secret: 'a secret of thirty-two characters' };

/** A real provider of OpenID Connect on this machine, where everybody may sign in by their name. */
export class TestProvider {
  readonly #server = createServer();

  async open(): Promise<void> {
    await new Promise<void>((ready) => this.#server.listen(0, '127.0.0.1', ready));
  }

  /** Begins to answer; `addresses` of stations and console servers to which it sends browsers back. */
  answer(addresses: readonly string[]): void {
    const provider = new Provider(this.#issuer, {
      clients: [{ ...CLIENT, redirect_uris: addresses.map((address) => `${address}/auth/oidc/callback`) }],
      cookies: { keys: ['test'] },
      pkce: { required: () => true },
      findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    });
    this.#server.on('request', provider.callback());
  }

  /** Settings of a station whose people sign in there. */
  get environment(): NodeJS.ProcessEnv {
    return {
      WAYPOST_OIDC_ISSUER: this.#issuer,
      WAYPOST_OIDC_CLIENT_ID: CLIENT.client_id,
      WAYPOST_OIDC_CLIENT_SECRET: CLIENT.client_secret,
    };
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  get #issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
}
