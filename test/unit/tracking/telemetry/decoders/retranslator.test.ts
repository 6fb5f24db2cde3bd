import { expect, test } from 'vitest';
import { ProtocolError } from '../../../../../server/tracking/telemetry/decoders/decoder.ts';
import { retranslator } from '../../../../../server/tracking/telemetry/decoders/retranslator.ts';
import { faults, hear } from './frames.ts';
import { hex } from './hex.ts';

/** The example of the protocol's description. */
const EXAMPLE = hex(
  '74000000333533393736303133343435343835004B0BFB70000000030BBB000000270102706F73696E666F00A027AFDF5D9848403AC7253383DD4B400000000000805A40003601460B0BBB0000001200047077725F657874002B8716D9CE973B400BBB00000011010361766C5F696E707574730000000001',
);
/** From the tests of an open retranslator, without satellites. */
const OTHER = hex(
  '7e00000073686d6900552d3f49000000070bbb000000270102706f73696e666f001f090e42538d3b40af8c20a82dfc4a400000000000000000006c0109ff0bbb0000000f000461646331000000000000ca21400bbb00000011010361766c5f696e7075747300000000240bbb00000012010361766c5f6f7574707574730000000037',
);

test('retranslator: the example of the description', () => {
  const [item] = hear(retranslator, EXAMPLE);
  if (item?.kind !== 'records') throw new Error();
  expect([item.device, item.faults, [...item.answer(1, 0)!]]).toEqual(['353976013445485', [], [0x11]]);
  expect(item.records).toMatchObject([
    {
      time: 1_259_076_464_000,
      position: { lat: 55.7305664, lon: 49.1903648 },
      height: 106,
      speed: 54,
      direction: 326,
      gpsCount: 11,
      inputs: 1,
      params: { pwr_ext: 27.593 },
    },
  ]);
});

test('retranslator: two packets of other units, cut anywhere', () => {
  const both = Buffer.concat([EXAMPLE, OTHER]);
  const whole = hear(retranslator, both);
  expect(whole.map((item) => item.kind === 'records' && item.device)).toEqual(['353976013445485', 'shmi']);
  expect(whole[1]).toMatchObject({ records: [{ inputs: 0x24, adc: [8.894_531_25], params: { avl_outputs: 0x37 } }] });
  for (let cut = 1; cut < both.length; cut++)
    expect(JSON.stringify(hear(retranslator, both.subarray(0, cut), both.subarray(cut)))).toBe(JSON.stringify(whole));
});

test('retranslator: an alarm, no position, invalid coordinates', () => {
  const alarm = Buffer.from(EXAMPLE);
  alarm[27] = 0x13;
  expect(hear(retranslator, alarm)[0]).toMatchObject({ records: [{ params: { alarm: 'sos' } }] });
  const bare = Buffer.concat([hex('18000000'), EXAMPLE.subarray(4, 28)]);
  expect(hear(retranslator, bare)[0]).toMatchObject({ records: [{ position: undefined, gpsCount: 0 }] });
  const far = Buffer.from(EXAMPLE);
  far.writeDoubleLE(1_000, 44);
  expect(faults(hear(retranslator, far))).toEqual(['the coordinates of a position are not valid']);
});

test('retranslator: lengths that lie are faults of their packet, or end the connection', () => {
  const block = Buffer.from(EXAMPLE);
  block.writeUInt32BE(0xffff_ffff, 30);
  const unit = Buffer.from(EXAMPLE).fill(65, 4);
  const value = Buffer.from(EXAMPLE);
  value.writeUInt32BE(0x0f, 30);
  expect(faults(hear(retranslator, block, unit, OTHER))).toEqual([
    'a block is longer than its packet',
    'a text without an end',
  ]);
  expect(faults(hear(retranslator, value))).toHaveLength(1);
  for (const size of [0, 9, 60_001, 0xffff_ffff]) {
    const head = Buffer.alloc(4);
    head.writeUInt32LE(size);
    expect(() => hear(retranslator, head)).toThrow(ProtocolError);
  }
});
