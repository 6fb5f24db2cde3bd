import { BlockList, isIP } from 'node:net';

/** Addresses and networks (`10.0.0.0/8`) as a list to look up in; undefined when one is neither. */
export function networksOf(texts: readonly string[]): BlockList | undefined {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', bits, ...rest] = text.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(address) === 0 || rest.length > 0) return undefined;
    if (bits === undefined) list.addAddress(address, family);
    else if (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 'ipv6' ? 128 : 32))
      list.addSubnet(address, Number(bits), family);
    else return undefined;
  }
  return list;
}

export function areNetworks(texts: readonly string[]): boolean {
  return networksOf(texts) !== undefined;
}

/** Whether the list has this IP address. False for other texts. */
export function contains(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Whether this address is of the machine itself, also as IPv6 writes an address of IPv4. */
export function isLoopbackAddress(address: string | undefined): boolean {
  const plain = (address ?? '').replace(/^::ffff:/, '');
  return plain === '::1' || plain.startsWith('127.');
}
