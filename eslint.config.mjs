import i18next from 'eslint-plugin-i18next';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { inlineTypeImports } from './scripts/eslint/inline-type-imports.mjs';

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/gen/**',
      '**/generated/**',
      '**/node_modules/**',
      '.parley/**',
      '**/*.cjs',
      '**/prisma.config.ts',
      'edge/console/public/**',
    ],
  },
  ...tseslint.configs.recommendedTypeChecked,
  {
    // One program for all packages: a program for each would load the types that they share each time.
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './edge/console/tsconfig.json', './services/file-content/worker/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
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
    // Pages: hooks by their rules, nothing that a keyboard or a reader cannot use, and no text outside of the languages.
    files: ['edge/console/src/**/*.{ts,tsx}'],
    plugins: { ...reactHooks.configs.flat.recommended.plugins, 'jsx-a11y': jsxA11y, i18next },
    rules: {
      ...reactHooks.configs.flat.recommended.rules,
      ...jsxA11y.flatConfigs.strict.rules,
      // Of a table and its rows nothing is kept between renders that React Compiler could make old.
      'react-hooks/incompatible-library': 'off',
      // Regions that scroll are reached by keyboard.
      'jsx-a11y/no-noninteractive-tabindex': 'off',
      'i18next/no-literal-string': ['error', { mode: 'jsx-text-only', words: { exclude: ['Parley', '[^A-Za-z]+'] } }],
      '@typescript-eslint/only-throw-error': 'off',
    },
  },
  {
    // Scripts and workers have no types: the same rules, except those that need them. They print.
    files: ['**/*.mjs'],
    ...tseslint.configs.disableTypeChecked,
    rules: { ...tseslint.configs.disableTypeChecked.rules, '@typescript-eslint/consistent-type-imports': 'off', 'no-console': 'off' },
  },
);
