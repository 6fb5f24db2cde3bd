import tseslint from 'typescript-eslint';
import vue from 'eslint-plugin-vue';

/** The linter says what the compiler cannot: promises left alone, and what only looks right. Layout is nobody's business. */
export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', 'data/**', 'release/**', 'test/out/**', '.ci/**', '**/*.js', '**/*.d.ts'] },
  ...tseslint.configs.recommended,
  ...vue.configs['flat/essential'],
  { files: ['**/*.vue'], languageOptions: { parserOptions: { parser: tseslint.parser } } },
  {
    files: ['server/**/*.ts', 'electron/**/*.ts', 'shared/**/*.ts'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false, attributes: false } }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
  {
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'off', // typed arrays and maps that we filled ourselves
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none' }],
      'eqeqeq': ['error', 'always', { null: 'ignore' }],
      'no-eval': 'error',
      'vue/multi-word-component-names': 'off',
    },
  },
);
