const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/waypost/i, 'Waypost'],
  [/Edg\//, 'Edge'],
  [/YaBrowser\//, 'Yandex'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** A readable name for a User-Agent: `Firefox, Linux`. Unknown ones are shortened. */
export function deviceName(userAgent: string): string {
  const found = [PROGRAMS, SYSTEMS].flatMap((list) => list.find(([pattern]) => pattern.test(userAgent))?.[1] ?? []);
  return found.length > 0 ? found.join(', ') : userAgent.slice(0, 60);
}
