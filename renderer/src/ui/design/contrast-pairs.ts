/**
 * Contrast pairs (WCAG 2.2): text at 4.5:1; marks, borders of controls and focus at 3:1. The test reads
 * tokens.css and measures every pair in every palette.
 */
const GROUNDS = ['ground', 'panel', 'raised', 'hover', 'chosen'] as const;
const TONES = ['action', 'normal', 'abnormal', 'busy', 'scene', 'quiet', 'alarm'] as const;

export const TEXT_PAIRS: readonly (readonly [front: string, back: string])[] = [
  ...GROUNDS.flatMap(
    (ground) =>
      [
        ['text', ground],
        ['dim', ground],
      ] as const,
  ),
  ...TONES.map((tone) => [tone, `${tone}-ground`] as const),
  ...TONES.map((tone) => [tone, 'panel'] as const),
  ['bar-text', 'bar-ground'],
  ['bar-text', 'bar-raised'],
  ['bar-dim', 'bar-ground'],
  ['bar-dim', 'bar-raised'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['on-alarm', 'alarm'],
  ['text', 'alarm-ground'],
  ['text', 'abnormal-ground'],
  ['accent', 'panel'],
  ['p1-on', 'p1'],
  ['p2-on', 'p2'],
  ['p3', 'panel'],
  ['p3', 'chosen'],
  ['text', 'p1-ground'],
  ['dim', 'p1-ground'],
  ['alarm', 'p1-ground'],
];

export const MARK_PAIRS: readonly (readonly [front: string, back: string])[] = [
  ...GROUNDS.map((ground) => ['focus', ground] as const),
  ...TONES.flatMap((tone) => GROUNDS.map((ground) => [tone, ground] as const)),
  ['edge', 'panel'],
  ['edge', 'raised'],
  ['mark-abnormal', 'panel'],
  ['bar-edge', 'bar-ground'],
  ['light-good', 'bar-ground'],
  ['light-warn', 'bar-ground'],
  ['light-lost', 'bar-ground'],
  ...['p1', 'p2-rail', 'p3', 'p4', 'chosen-edge'].map((mark) => [mark, 'panel'] as const),
  ['chosen-edge', 'chosen'],
  ['p1', 'p1-ground'],
  ['bar-mark', 'bar-ground'],
  ...['normal', 'busy', 'scene', 'abnormal', 'quiet'].map((tone) => ['on-mark', tone] as const),
  ['route', 'route-case'],
  ...[0, 1, 2, 3, 4, 5].flatMap(
    (band) =>
      [
        [`speed-${band}`, 'route-case'],
        [`speed-${band}`, 'panel'],
      ] as const,
  ),
];
