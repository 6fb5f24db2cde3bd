import tseslint from 'typescript-eslint';
import vue from 'eslint-plugin-vue';

const AS_HTML = [
  'innerHTML',
  'outerHTML',
  'srcdoc',
  'insertAdjacentHTML',
  'createContextualFragment',
  'setHTMLUnsafe',
  'parseFromString',
  'parseHTMLUnsafe',
].join('|');
const IN_TEMPLATES = ['/^(inner|outer)-?html$/i', 'srcdoc'];
/** What makes HTML of a text: a name that somebody typed could then be a page of its own. */
const HTML = [
  ...[
    'MemberExpression[property.name',
    'MemberExpression[property.value',
    'Property[key.name',
    'Property[key.value',
  ].map((where) => `${where}=/^(${AS_HTML})$/]`),
  'CallExpression[callee.object.name="document"][callee.property.name=/^write(ln)?$/]',
].map((selector) => ({ selector, message: 'Write text, not HTML.' }));
const OF_LEAFLET = [
  'divIcon',
  'DivIcon',
  'bindTooltip',
  'bindPopup',
  'setTooltipContent',
  'setPopupContent',
  'openTooltip',
  'openPopup',
  'setContent',
].join('|');
/** What Leaflet makes HTML of. `renderer/src/map/text-marks.ts` has the same for texts. */
const LEAFLET_HTML = [
  `MemberExpression[property.name=/^(${OF_LEAFLET})$/]`,
  'MemberExpression[object.name="L"][property.name=/^(popup|tooltip|Popup|Tooltip|control|Control)$/]',
].map((selector) => ({
  selector,
  message: 'Leaflet takes a text for HTML: use textIcon or nameOn of map/text-marks.ts.',
}));

/** A getter that makes a new array or object differs each time that it runs, though all in it is as before. */
const WATCHED_LITERALS = ['', 'TSAsExpression.body > ', 'TSSatisfiesExpression.body > '].flatMap((cast) =>
  ['ArrayExpression', 'ObjectExpression'].map((literal) => ({
    selector: `CallExpression[callee.name="watch"] > ArrowFunctionExpression:first-child > ${cast}${literal}${cast ? '.expression' : '.body'}`,
    message: 'Watch a list of sources, watch([a, b], …): this getter differs each time.',
  })),
);

/**
 * What is particular to the console: its templates, and texts that become HTML. `.oxlintrc.json` has the rules for all
 * sources, and those that need types. Layout is Prettier's.
 */
export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', 'data/**', 'release/**', 'test/out/**', '.ci/**', '**/*.js', '**/*.d.ts'] },
  ...tseslint.configs.recommended,
  ...vue.configs['flat/essential'],
  { files: ['**/*.vue'], languageOptions: { parserOptions: { parser: tseslint.parser } } },
  {
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'off', // typed arrays and maps that we filled ourselves
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none' },
      ],
      'eqeqeq': ['error', 'always', { null: 'ignore' }],
      'no-eval': 'error',
      'vue/multi-word-component-names': 'off',
    },
  },
  {
    files: ['renderer/**/*.ts', 'renderer/**/*.vue'],
    rules: {
      'vue/no-v-html': 'error',
      'vue/no-v-text-v-html-on-component': 'error',
      'vue/no-restricted-v-bind': [
        'error',
        ...IN_TEMPLATES.map((argument) => ({ argument, message: 'Write text, not HTML.' })),
      ],
      'vue/no-restricted-static-attribute': [
        'error',
        ...IN_TEMPLATES.map((key) => ({ key, message: 'Write text, not HTML.' })),
      ],
      'vue/no-restricted-syntax': ['error', ...HTML, ...LEAFLET_HTML],
      'no-restricted-syntax': ['error', ...HTML, ...LEAFLET_HTML, ...WATCHED_LITERALS],
    },
  },
  {
    files: ['renderer/src/map/text-marks.ts'],
    rules: { 'no-restricted-syntax': ['error', ...HTML, ...WATCHED_LITERALS] },
  },
);
