// Generates what is not committed: contract types from protos/, database clients from every prisma/schema.prisma. Works offline.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, 'node_modules', '.bin');

function run(command, args, folder, env = {}) {
  const { status, stdout, stderr, error } = spawnSync(join(bin, command), args, {
    cwd: join(root, folder),
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, ...env },
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status === 0) return;
  process.stderr.write(`${command} ${args.join(' ')} failed in ${folder}\n${error ?? ''}${stdout}${stderr}`);
  process.exit(1);
}

run('buf', ['generate'], 'protos');

const packages = [...readdirSync(join(root, 'services')).map((name) => join('services', name)), 'edge'];
for (const folder of packages) {
  const schema = join(root, folder, 'prisma', 'schema.prisma');
  // A service that queries with SQL alone has a schema, which its migrations are compared with, and no client.
  if (!existsSync(schema) || !readFileSync(schema, 'utf8').includes('generator client')) continue;
  // Generating needs no schema engine; naming one that exists keeps Prisma from looking for it on the network.
  run('prisma', ['generate'], folder, {
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  });
}
