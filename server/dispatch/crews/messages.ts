import type { CrewMessage, MessageReceipt, Vehicle } from '../../../shared/records/index.ts';
import { isLonger } from '../../../shared/text/characters.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Draft } from '../../store/types.ts';

export type MessageMark = (typeof MESSAGE_MARKS)[number];
export const MESSAGE_MARKS = ['delivered', 'read', 'answered'] as const;

/** Characters of a message. */
export const LONGEST_MESSAGE = 2_000;
/** ms that a telephone shows a message; one that must be answered stays until it is. */
export const SHOWN_FOR = 24 * 3_600_000;

const CONTROL = 'control';
const UNSEEN: MessageReceipt = { deliveredAt: 0, readAt: 0, answeredAt: 0 };

export interface MessageOrder {
  readonly to: CrewMessage['to'];
  readonly text: string;
  readonly mustAnswer: boolean;
}

export function createMessage(
  id: number,
  from: Pick<CrewMessage, 'organizationId' | 'userId' | 'vehicleId'>,
  { to, text, mustAnswer }: MessageOrder,
  at: number,
): Draft<CrewMessage> {
  if (text.trim() === '') throw new Refusal('field.empty', { field: 'text' });
  if (isLonger(text, LONGEST_MESSAGE)) throw new Refusal('field.tooLong', { field: 'text', most: LONGEST_MESSAGE });
  const words = { text: text.trim(), at, mustAnswer, receipts: {} };
  return { id, kind: 'crewMessage', name: '', isDeleted: false, ...from, to, ...words };
}

/** Whether the crew of this vehicle gets it. A crew that joins a group later also gets the earlier messages. */
export function isTo({ to, organizationId, isDeleted }: CrewMessage, vehicle: AddressedVehicle): boolean {
  if (isDeleted) return false;
  switch (to.kind) {
    case 'control':
      return false;
    case 'vehicle':
      return to.id === vehicle.id;
    case 'group':
      return to.id === vehicle.groupId && organizationId === vehicle.organizationId;
    case 'all':
      return organizationId === 0 || organizationId === vehicle.organizationId;
  }
}
type AddressedVehicle = Pick<Vehicle, 'id' | 'groupId' | 'organizationId'>;

export function receiptOf({ receipts }: CrewMessage, vehicleId: number | undefined): MessageReceipt {
  return receipts[nameOf(vehicleId)] ?? UNSEEN;
}

/**
 * The message after somebody got, read or answered it. A later mark implies the earlier ones; the first time counts.
 * @param vehicleId undefined: the control room
 */
export function marked(
  message: CrewMessage,
  vehicleId: number | undefined,
  mark: MessageMark,
  at: number,
): CrewMessage {
  const before = receiptOf(message, vehicleId);
  const reached = MESSAGE_MARKS.indexOf(mark);
  const time = (own: MessageMark, known: number) => (MESSAGE_MARKS.indexOf(own) <= reached && known === 0 ? at : known);
  const after = {
    deliveredAt: time('delivered', before.deliveredAt),
    readAt: time('read', before.readAt),
    answeredAt: time('answered', before.answeredAt),
  };
  const isSame =
    after.deliveredAt === before.deliveredAt &&
    after.readAt === before.readAt &&
    after.answeredAt === before.answeredAt;
  return isSame ? message : { ...message, receipts: { ...message.receipts, [nameOf(vehicleId)]: after } };
}

/** Messages that the telephone of a vehicle shows, oldest first. */
export function shownTo(all: readonly CrewMessage[], vehicle: AddressedVehicle, now: number): CrewMessage[] {
  return all
    .filter((message) => {
      const isOwn = message.vehicleId === vehicle.id && !message.isDeleted;
      if (!isOwn && !isTo(message, vehicle)) return false;
      const waits = !isOwn && message.mustAnswer && receiptOf(message, vehicle.id).answeredAt === 0;
      return waits || now - message.at < SHOWN_FOR;
    })
    .sort((a, b) => a.at - b.at || a.id - b.id)
    .slice(-100);
}

function nameOf(vehicleId: number | undefined): string {
  return vehicleId === undefined ? CONTROL : String(vehicleId);
}
