// `npm run lint:actions`: Redocly agrees that the documented actions are valid Arazzo.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'docs', 'actions');
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.arazzo.yaml'))
  .map((name) => join(folder, name));
const cli = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin/cli.js');
const { status } = spawnSync(process.execPath, [cli, 'lint', '--extends=recommended-strict', ...files], {
  // Its own folder, so that no configuration for other documents is found.
  cwd: folder,
  stdio: 'inherit',
  // Turns off its telemetry and its check for updates.
  env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
});
process.exitCode = status ?? 1;
