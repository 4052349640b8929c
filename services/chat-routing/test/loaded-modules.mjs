import { transformFile } from '@swc/core';
import { writeSync } from 'node:fs';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

// With `node --import`: reads TypeScript as the tests do, and says of each module of a package that it was loaded.
if (isMainThread) register(import.meta.url);

export async function load(url, context, next) {
  if (url.includes('/node_modules/')) writeSync(1, `${url}\n`);
  if (!url.endsWith('.ts')) return next(url, context);
  const { code } = await transformFile(fileURLToPath(url), { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' } });
  return { format: 'module', source: code, shortCircuit: true };
}
