import type { AmiMessage } from './ami-wire.ts';
import { OWN_CHANNEL, type ExchangeLine } from './settings.ts';

/** An event of the exchange, as far as it is about a call of the control room. */
export type ExchangeStep =
  | {
      readonly kind: 'arrived';
      readonly channel: string;
      readonly number: string;
      readonly name: string;
      readonly line: string;
      readonly organizationId: number;
    }
  /** A telephone with this extension was lifted. */
  | { readonly kind: 'answered'; readonly channel: string; readonly extension: string }
  | { readonly kind: 'gone'; readonly channel: string };

/** Longest values of a call's record. */
const LONGEST = 100;
/** `PJSIP/101-0000002a`, `Local/101@desks-0000002a;1`: the extension of a channel. */
const EXTENSION = /^[^/]+\/([^/@;]+?)(?:@[^;]*)?(?:-[0-9a-f]{8})?(?:;\d)?$/i;

/** README rule 3. Channels that no line of the settings names are nothing to the station. */
export function readExchangeStep(event: AmiMessage, lines: readonly ExchangeLine[]): ExchangeStep | undefined {
  const channel = event.get('uniqueid') ?? '';
  switch (event.get('event')) {
    case 'Newchannel':
    case 'DialBegin':
      return arrival(event, channel, lines);
    // A channel that already talks with somebody does not ring.
    case 'CoreShowChannel':
      return event.get('bridgeid') ? undefined : arrival(event, channel, lines);
    case 'DialEnd': {
      const extension = EXTENSION.exec(event.get('destchannel') ?? '')?.[1] ?? '';
      if (event.get('dialstatus') !== 'ANSWER' || channel === '' || extension === '') return undefined;
      return { kind: 'answered', channel, extension };
    }
    case 'Hangup':
      return channel === '' ? undefined : { kind: 'gone', channel };
    default:
      return undefined;
  }
}

function arrival(event: AmiMessage, channel: string, lines: readonly ExchangeLine[]): ExchangeStep | undefined {
  const isOwn = [channel, event.get('linkedid') ?? ''].some((id) => id.startsWith(OWN_CHANNEL));
  if (channel === '' || channel.length > LONGEST || isOwn) return undefined;
  const [context, called] = [event.get('context') ?? '', event.get('exten') ?? ''];
  const line = lines.find((one) => one.context === context && (one.extension === '' || one.extension === called));
  return (
    line && {
      ...{ kind: 'arrived', channel, organizationId: line.organizationId },
      number: known(event.get('calleridnum')),
      name: known(event.get('calleridname')),
      line: called.slice(0, LONGEST),
    }
  );
}

/** Asterisk writes `<unknown>` for values that a caller withholds. */
function known(value = ''): string {
  return value === '<unknown>' ? '' : value.replaceAll('\0', '').toWellFormed().slice(0, LONGEST);
}
