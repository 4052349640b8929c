// `npm run build:console`: the clients of the console from the gateway's own descriptions, then its pages. Needs a build of the edge.
// Nothing is done when nothing has changed since the last time.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { BuiltFrom } from './built-from.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'edge/console');
const generated = join(folder, 'src/api/generated');
const compiled = (path) => import(pathToFileURL(join(root, path)).href);

const { createMeDocument, createWholeDocument } = await compiled('edge/dist/openapi/document.js');
const { ALL_ROUTES } = await compiled('edge/dist/routes/index.js');
const { ERROR_CATALOGUE } = await compiled('protos/dist/src/error-catalogue.js');
const { ERROR_GUIDE } = await compiled('protos/dist/src/guide/error-guide.js');

const whole = createWholeDocument(ALL_ROUTES);
const controlPlane = { ...whole, paths: Object.fromEntries(Object.entries(whole.paths).filter(([path]) => path.startsWith('/admin/'))) };
const errors = Object.entries(ERROR_CATALOGUE).map(([condition, { code, http, type, retryable }]) => ({
  ...{ code, http, type, retryable },
  ...ERROR_GUIDE[condition],
}));
const sources = {
  'me.ts': () => typesOf(createMeDocument(ALL_ROUTES)),
  'admin.ts': () => typesOf(controlPlane),
  'errors.json': () => JSON.stringify(errors, undefined, 1),
};

const from = new BuiltFrom(join(folder, 'dist/.built')).files(folder, { without: ['dist', 'generated', 'node_modules'] });
for (const text of [createMeDocument(ALL_ROUTES), controlPlane, errors]) from.text(JSON.stringify(text));
from.text(readFileSync(join(root, 'package-lock.json')));
const isThere = Object.keys(sources).every((name) => existsSync(join(generated, name)));
await from.unlessDone(async () => {
  mkdirSync(generated, { recursive: true });
  for (const [name, write] of Object.entries(sources)) writeFileSync(join(generated, name), await write());
  if (process.argv.includes('--clients')) process.exit(0);
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [vite, 'build'], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) {
    process.stderr.write(`${stdout}${stderr}`);
    process.exit(1);
  }
}, isThere);

async function typesOf(document) {
  return `/* oxlint-disable */\n${astToString(await openapiTypescript(document, { alphabetize: true }))}`;
}
