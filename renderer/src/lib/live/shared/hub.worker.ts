import { Client } from '../../api/client.ts';
import { OwnSource } from '../own-source.ts';
import { LiveHub } from './hub.ts';
import { hubLineOf } from './messages.ts';

/** Declares a shared worker to the compiler, which knows windows only. */
declare const self: {
  readonly name: string;
  readonly location: Location;
  onconnect: (event: MessageEvent) => void;
  close(): void;
};

const address = new URL('/ws', self.location.href);
address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
const hub = new LiveHub({
  open: (options) => OwnSource.open({ ...options, client: new Client(), address: address.href, owner: self.name }),
  ended: () => self.close(),
});
self.onconnect = ({ ports: [port] }) => hub.attach(hubLineOf(port!));
