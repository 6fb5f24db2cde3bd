import { z } from 'zod';
import { areNetworks } from '../platform/networks.ts';

export const port = z.int().min(0).max(65_535);
export const portOrOff = z.int().min(1).max(65_535).nullable();

export const list = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(/[\s,]+/).filter((part) => part !== '') : value),
  z.array(z.string().min(1).max(100)).max(100),
);
export const networkList = list.refine(areNetworks, {
  error: 'must be addresses or networks such as 127.0.0.1, 10.0.0.0/8',
});

/** Ids, also as a text with commas. */
export const idList = z.preprocess(
  (value) =>
    typeof value === 'string' && /^[\d\s,]*$/.test(value)
      ? value
          .split(/[\s,]+/)
          .filter((part) => part !== '')
          .map(Number)
      : value,
  z.array(z.int().min(1).max(2_147_483_647)).max(1000),
);
