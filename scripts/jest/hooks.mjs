// How Node loads test files and what they import: TypeScript by swc, workspace packages by their sources, `@jest/globals` by the running test file.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

const GLOBALS = new URL('globals.mjs', import.meta.url).href;
const SOURCE = '@parley/source';
const TYPESCRIPT = /\.tsx?$/;

export function resolve(specifier, context, nextResolve) {
  if (specifier === '@jest/globals') return { url: GLOBALS, format: 'module', shortCircuit: true };
  return nextResolve(specifier, { ...context, conditions: [...context.conditions, SOURCE] });
}

export async function load(url, context, nextLoad) {
  const [file] = url.split('?');
  if (!file.startsWith('file:') || !TYPESCRIPT.test(file)) return nextLoad(url, context);
  const filename = fileURLToPath(file);
  const { code } = await transform(await readFile(filename, 'utf8'), {
    filename,
    jsc: {
      parser: { syntax: 'typescript', tsx: filename.endsWith('x') },
      transform: { react: { runtime: 'automatic' } },
      target: 'es2023',
    },
    swcrc: false,
    sourceMaps: 'inline',
  });
  return { format: 'module', source: code, shortCircuit: true };
}
