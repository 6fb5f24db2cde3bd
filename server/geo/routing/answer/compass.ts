const NAMES = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const;

/**
 * Compass name of a bearing in degrees; a sector border belongs to the lower sector (22.5 is N, 67.5 is NE).
 */
export function compassName(bearing: number): string {
  return NAMES[Math.max(0, Math.ceil((bearing - 22.5) / 45)) % 8]!;
}
