// Writes docs/errors from the catalogue and its guide; the build must be there.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderErrorPages } from '@parley/protos/error-pages';

const folder = join(import.meta.dirname, '../docs/errors');
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const [file, text] of renderErrorPages()) await writeFile(join(folder, file), text);
