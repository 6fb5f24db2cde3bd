/** The parts of the package that Waypost uses. The package has no types of its own. */
declare module 'smpp' {
  import type { EventEmitter } from 'node:events';

  /** A protocol data unit; its fields are those of SMPP 3.4. */
  export interface Pdu {
    readonly command: string;
    readonly command_status?: number;
    readonly [field: string]: unknown;
    response(fields?: Readonly<Record<string, unknown>>): Pdu;
  }

  type Ask = (fields: Readonly<Record<string, unknown>>, answered?: (pdu: Pdu) => void) => boolean;

  export interface Session extends EventEmitter {
    readonly bind_transceiver: Ask;
    readonly submit_sm: Ask;
    readonly deliver_sm: Ask;
    readonly enquire_link: (answered: (pdu: Pdu) => void) => boolean;
    readonly unbind: (answered: (pdu: Pdu) => void) => boolean;
    send(pdu: Pdu): boolean;
    close(): void;
    destroy(): void;
  }

  interface Smpp {
    connect(options: { host: string; port: number; tls?: boolean; servername?: string }): Session;
    createServer(listener: (session: Session) => void): unknown;
    readonly ESME_RINVPASWD: number;
  }
  const smpp: Smpp;
  export default smpp;
}
