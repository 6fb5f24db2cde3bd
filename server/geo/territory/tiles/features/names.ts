import type { Tags } from '../../extract/extract.ts';
import type { Attribute } from '../layers.ts';

/** The names on a map; another language's only if it differs. */
export function names(tags: Tags): [string, Attribute | undefined][] {
  const name = tags['name'];
  return [
    ['name', name],
    ['name:ru', other(tags['name:ru'], name)],
    ['name:en', other(tags['name:en'], name)],
  ];
}

function other(name: string | undefined, plain: string | undefined): string | undefined {
  return name === plain ? undefined : name;
}
