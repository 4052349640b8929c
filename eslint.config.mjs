import tseslint from 'typescript-eslint';
import { inlineTypeImports } from './scripts/eslint/inline-type-imports.mjs';

export default tseslint.config(
  {
    ignores: ['**/dist/**', '**/gen/**', '**/generated/**', '**/node_modules/**', '.parley/**', '**/*.cjs', '**/prisma.config.ts'],
  },
  ...tseslint.configs.recommendedTypeChecked,
  {
    // One program for all packages: a program for each would load the types that they share each time.
    languageOptions: {
      parserOptions: { project: ['./tsconfig.json', './services/file-content/worker/tsconfig.json'], tsconfigRootDir: import.meta.dirname },
    },
    plugins: { parley: { rules: { 'inline-type-imports': inlineTypeImports } } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-import-type-side-effects': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
      'no-console': 'error',
      'parley/inline-type-imports': 'error',
    },
  },
  {
    // Scripts and workers have no types: the same rules, except those that need them. They print.
    files: ['**/*.mjs'],
    ...tseslint.configs.disableTypeChecked,
    rules: { ...tseslint.configs.disableTypeChecked.rules, '@typescript-eslint/consistent-type-imports': 'off', 'no-console': 'off' },
  },
);
