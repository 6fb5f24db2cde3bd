/** The default port for TLS. */
const STATION_PORT = 8443;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The addresses to try, in turn, for what a person typed or a file says: `10.0.0.5`, `station.example:8443`, a whole
 * URL. `plain` for an address without TLS beyond this machine, `wrong` for what is no address.
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
