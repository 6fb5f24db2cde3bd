import { httpSender } from './http-sender.ts';
import { MqttSender } from './mqtt-sender.ts';
import { NatsSender } from './nats-sender.ts';
import type { DeliverySender, DeliverySenderOptions } from './sender.ts';

export type { AttemptOutcome, DeliverySender } from './sender.ts';

/** The sender for the scheme of an address. */
export function openSender(options: DeliverySenderOptions): DeliverySender {
  switch (new URL(options.url).protocol) {
    case 'mqtt:':
    case 'mqtts:':
      return new MqttSender(options);
    case 'nats:':
    case 'tls:':
      return new NatsSender(options);
    default:
      return httpSender(options);
  }
}
