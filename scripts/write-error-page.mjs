import { renderErrorPage } from '@parley/protos/error-page';
// Writes docs/errors/README.md from the catalogue and its guide. Requires the build.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

await writeFile(join(import.meta.dirname, '../docs/errors/README.md'), renderErrorPage());
