import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProviderOutcome } from '../shared/bridge.ts';

/** ms within which somebody has to finish at the provider; the station waits as long. */
const PATIENCE = 10 * 60_000;

/**
 * A sign-in at the station's provider in the browser of this machine (RFC 8252). The browser ends at a port of this
 * machine with a code, for which the station wants the secret that never left the program (RFC 7636).
 */
export class ProviderSignIn {
  readonly #server: Server;
  readonly #state = randomBytes(32).toString('base64url');
  readonly #verifier = randomBytes(32).toString('base64url');
  readonly #timer: NodeJS.Timeout;

  private constructor(farewell: string, ended: (outcome: ProviderOutcome) => void) {
    this.#server = createServer((request, response) => {
      const { searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
      const [code, refused] = [searchParams.get('code'), searchParams.get('refused')];
      // Any page of this machine can ask here; only the station's answer has the state.
      const isOurs = request.method === 'GET' && searchParams.get('state') === this.#state;
      const outcome = code ? { code, verifier: this.#verifier } : refused ? { refused } : undefined;
      if (!isOurs || !outcome) return void response.writeHead(404).end();
      response.writeHead(200, {
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'connection': 'close',
      });
      response.end(farewell);
      this.close();
      ended(outcome);
    });
    this.#timer = setTimeout(() => this.close(), PATIENCE).unref();
  }

  /** @param farewell what the browser shows at the end */
  static async listen(farewell: string, ended: (outcome: ProviderOutcome) => void): Promise<ProviderSignIn> {
    const signIn = new ProviderSignIn(farewell, ended);
    await new Promise<void>((listening, failed) => {
      signIn.#server.once('error', failed);
      signIn.#server.listen(0, '127.0.0.1', listening);
    });
    return signIn;
  }

  /** The address for the browser: always of the station. */
  addressAt(origin: string): string {
    const { port } = this.#server.address() as AddressInfo;
    const challenge = createHash('sha256').update(this.#verifier).digest('base64url');
    const asked = new URLSearchParams({ loopback: String(port), state: this.#state, challenge });
    return `${origin}/auth/oidc?${asked.toString()}`;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#server.close();
  }
}
