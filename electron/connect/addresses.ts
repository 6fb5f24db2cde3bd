/** The default port for TLS. */
const STATION_PORT = 8443;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Addresses to try, in order, for typed text or a file entry: `10.0.0.5`, `station.example:8443`, a whole
 * URL. `plain`: an address without TLS beyond this machine. `wrong`: not an address.
 */
export function addressesOf(typed: string): readonly string[] | 'plain' | 'wrong' {
  const text = typed.trim();
  const isWhole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  let url: URL;
  try {
    url = new URL(isWhole ? text : `https://${text}`);
  } catch {
    return 'wrong';
  }
  if (text === '' || text.length > 300 || url.username || url.password || url.hostname === '') return 'wrong';
  if (url.protocol === 'http:') return LOOPBACK.test(url.hostname) ? [url.origin] : 'plain';
  if (url.protocol !== 'https:') return 'wrong';
  const hasPort = url.port !== '' || /:443(\/|$)/.test(text);
  return hasPort || isWhole ? [url.origin] : [`https://${url.hostname}:${STATION_PORT}`, url.origin];
}
