/** Pictures of the map from a server elsewhere, as an organization names it. */
export interface MapProvider {
  /** With `{z}`, `{x}`, `{y}` or `{-y}`, and perhaps `{s}`. */
  readonly template: string;
  /** Where pictures come from, such as `https://tiles.example`. */
  readonly origins: readonly string[];
  /** As people read it. */
  readonly host: string;
  /** Empty: not stated. */
  readonly attribution: string;
}

/** The servers that `{s}` stands for. */
export const SUBDOMAINS = ['a', 'b', 'c'] as const;
const PLACEHOLDER = /\{([^{}]*)\}/g;
const KNOWN = new Set(['z', 'x', 'y', '-y', 's', 'r']);
/** Origins that a content security policy can name. */
const ORIGIN = /^https?:\/\/[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d+)?$/;

/**
 * Reads "https://tiles.example/{z}/{x}/{y}.png © The survey": an address, then whose pictures they are. Undefined: no
 * address at all, as in records of other systems, which name a provider by a word. `faulty`: one that cannot be used.
 */
export function readMapProvider(text: string): MapProvider | 'faulty' | undefined {
  const [, template, attribution] = /^(https?:\/\/\S*)\s*(.*)$/is.exec(text.trim()) ?? [];
  if (template === undefined) return undefined;
  const placeholders = [...template.matchAll(PLACEHOLDER)].map(([, name]) => name!);
  const isComplete =
    placeholders.includes('z') &&
    placeholders.includes('x') &&
    placeholders.some((name) => name === 'y' || name === '-y');
  if (!isComplete || !placeholders.every((name) => KNOWN.has(name))) return 'faulty';
  const servers = placeholders.includes('s') ? SUBDOMAINS : [''];
  const addresses = servers.map((name) => addressOf(template.replaceAll('{s}', name)));
  if (addresses.some((address) => address === undefined)) return 'faulty';
  const origins = [...new Set(addresses.map((address) => address!.origin))];
  return { template, origins, host: addresses[0]!.host, attribution: attribution!.trim() };
}

/** Undefined: not an address, with a password, or with a placeholder in the name of its server. */
function addressOf(template: string): { readonly origin: string; readonly host: string } | undefined {
  const [, scheme, host] = /^(https?):\/\/([^/?#\\]*)/.exec(template.toLowerCase()) ?? [];
  const origin = `${scheme}://${host}`;
  return host !== undefined && ORIGIN.test(origin) ? { origin, host } : undefined;
}

/** The origins of the pictures that these organizations have on their maps. */
export function pictureOrigins(
  organizations: Iterable<{
    readonly isDeleted: boolean;
    readonly mapRoadProvider: string;
    readonly mapAerialProvider: string;
  }>,
): readonly string[] {
  const origins = new Set<string>();
  for (const { isDeleted, mapRoadProvider, mapAerialProvider } of organizations) {
    if (isDeleted) continue;
    for (const text of [mapRoadProvider, mapAerialProvider]) {
      const provider = readMapProvider(text);
      if (provider !== undefined && provider !== 'faulty') provider.origins.forEach((origin) => origins.add(origin));
    }
  }
  return [...origins].sort();
}
