// `npm run lint:openapi`: checks the API descriptions with Redocly's rules. Needs a build; needs no database, since the route table is all it takes.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const compiled = (path) => import(pathToFileURL(join(root, 'edge/dist', path)).href);

const { createMeDocument, createPublicDocument, createWholeDocument } = await compiled('openapi/document.js');
const { ALL_ROUTES: routes } = await compiled('routes/index.js');

const folder = mkdtempSync(join(tmpdir(), 'parley-openapi-'));
try {
  const files = Object.entries({
    'openapi-public.json': createPublicDocument(routes),
    'openapi.json': createWholeDocument(routes),
    'openapi-me.json': createMeDocument(routes),
  }).map(([name, document]) => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify(document, null, 2));
    return file;
  });
  const cli = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin/cli.js');
  const { status } = spawnSync(process.execPath, [cli, 'lint', '--config', join(root, 'redocly.yaml'), ...files], {
    cwd: root,
    stdio: 'inherit',
    // Turns off its telemetry and its check for updates.
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
