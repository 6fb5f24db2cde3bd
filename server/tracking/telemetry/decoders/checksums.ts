/** The CRC of each byte value, computed bit by bit once. */
function table(step: (byte: number) => number): Uint16Array {
  return Uint16Array.from({ length: 256 }, (_, byte) => step(byte));
}

function eightTimes(crc: number, shift: (crc: number) => number): number {
  for (let i = 0; i < 8; i++) crc = shift(crc);
  return crc;
}

const ARC = table((byte) => eightTimes(byte, (crc) => (crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1)));
const CCITT = table((byte) =>
  eightTimes(byte << 8, (crc) => (crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff)),
);
const CRC_8 = table((byte) => eightTimes(byte, (crc) => (crc & 0x80 ? ((crc << 1) ^ 0x31) & 0xff : (crc << 1) & 0xff)));

/** CRC-16/ARC (IBM): reflected 0x8005, start 0. */
export function crc16Arc(bytes: Uint8Array): number {
  let crc = 0;
  for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ ARC[(crc ^ bytes[i]!) & 0xff]!;
  return crc;
}

/** CRC-16/CCITT-FALSE: 0x1021, start 0xFFFF. */
export function crc16Ccitt(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (let i = 0; i < bytes.length; i++) crc = ((crc << 8) & 0xffff) ^ CCITT[(crc >>> 8) ^ bytes[i]!]!;
  return crc;
}

/** CRC-8: 0x31, start 0xFF. */
export function crc8(bytes: Uint8Array): number {
  let crc = 0xff;
  for (let i = 0; i < bytes.length; i++) crc = CRC_8[crc ^ bytes[i]!]!;
  return crc;
}
