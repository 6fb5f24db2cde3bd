import { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';
import type { Route } from 'playwright';
import { asChromiumWrites } from '../../../electron/fingerprint.ts';

interface RequestDetails {
  readonly url: string;
  readonly resourceType: string;
}
type ReceiveHeaders = (
  details: RequestDetails & { readonly responseHeaders: Record<string, string[]> },
  answer: (given: object) => void,
) => void;
type Verify = (request: object, answer: (result: number) => void) => void;

/** A session of Electron: what its pages may request, which certificates it accepts, what its own schemes answer. */
export class HarnessSession {
  mayRequest: (url: string, resourceType?: string) => boolean = () => true;
  #receive: ReceiveHeaders | undefined;
  #verify: Verify | undefined;
  readonly #handlers = new Map<string, (request: { url: string }) => Promise<Response>>();

  readonly webRequest = {
    onBeforeRequest: (handler: (details: RequestDetails, answer: (given: { cancel: boolean }) => void) => void) => {
      this.mayRequest = (url, resourceType = 'other') => {
        let cancelled = false;
        handler({ url, resourceType }, ({ cancel }) => (cancelled = cancel));
        return !cancelled;
      };
    },
    onHeadersReceived: (handler: ReceiveHeaders) => {
      this.#receive = handler;
    },
  };
  readonly protocol = {
    handle: (scheme: string, handler: (request: { url: string }) => Promise<Response>) =>
      this.#handlers.set(`${scheme}:`, handler),
  };
  setPermissionRequestHandler(): void {}
  setPermissionCheckHandler(): void {}
  setDevicePermissionHandler(): void {}
  setCertificateVerifyProc(verify: Verify): void {
    this.#verify = verify;
  }

  /** The program sees the headers of a page that was loaded. */
  receives(url: string, headers: readonly { readonly name: string; readonly value: string }[]): void {
    const responseHeaders = Object.fromEntries(headers.map(({ name, value }) => [name, [value]]));
    this.#receive?.({ url, resourceType: 'mainFrame', responseHeaders }, () => undefined);
  }

  async answers(route: Route, url: string): Promise<boolean> {
    const handler = this.#handlers.get(new URL(url).protocol);
    if (!handler) return false;
    const answer = await handler({ url });
    const body = Buffer.from(await answer.arrayBuffer());
    await route.fulfill({ status: answer.status, headers: Object.fromEntries(answer.headers), body });
    return true;
  }

  /** Shows the certificate of the address to the program, as Chromium does. It trusts none by itself here. */
  async accepts(url: string): Promise<boolean> {
    const { protocol, hostname, port } = new URL(url);
    if (protocol !== 'https:') return true;
    const fingerprint = await certificateAt(hostname, Number(port || 443));
    const verify = this.#verify;
    if (fingerprint === undefined || !verify) return false;
    const certificate = { fingerprint: asChromiumWrites(fingerprint) };
    const said = await new Promise<number>((answer) =>
      verify({ hostname, certificate, verificationResult: 'net::ERR_CERT_AUTHORITY_INVALID', errorCode: -202 }, answer),
    );
    return said === 0;
  }
}

function certificateAt(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, rejectUnauthorized: false }, () => {
      resolve(new X509Certificate(socket.getPeerCertificate().raw).fingerprint256);
      socket.destroy();
    });
    socket.on('error', () => resolve(undefined));
  });
}
