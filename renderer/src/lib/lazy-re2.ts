import { shallowRef } from 'vue';

/** The part of RE2JS that patterns use. */
interface Pattern {
  matcher(text: string): { find(): boolean };
}

type PatternEngine = { compile(pattern: string): Pattern };

const engine = shallowRef<PatternEngine>();
let loading = false;

/**
 * RE2JS in the console's build: a fifth of the board's script, loaded when a pattern is first used. Until
 * then every text passes; computed values are evaluated again afterwards, and the station validates each
 * value in any case.
 */
export const RE2JS: PatternEngine = {
  compile(pattern) {
    const compiled = engine.value?.compile(pattern);
    if (!compiled) load();
    let late: Pattern | undefined = compiled;
    return { matcher: (text) => (late ??= engine.value?.compile(pattern))?.matcher(text) ?? { find: () => true } };
  },
};

function load(): void {
  if (loading) return;
  loading = true;
  import('re2js').then(
    ({ RE2JS: loaded }) => (engine.value = loaded),
    () => (loading = false),
  );
}
