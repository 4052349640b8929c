// Writes the reference of commands in docs/cli.md. Requires the build.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toCliEnvironment } from '../deploy/dist/cli/cli-environment.js';
import { createCliContext } from '../deploy/dist/cli/context.js';
import { createProgram } from '../deploy/dist/cli/program.js';
import { REFERENCE_SECTION_PATTERN, renderReference } from '../deploy/dist/cli/reference.js';

const page = join(import.meta.dirname, '../docs/cli.md');
const reference = renderReference(createProgram(createCliContext(toCliEnvironment(process), false)));
await writeFile(
  page,
  (await readFile(page, 'utf8')).replace(REFERENCE_SECTION_PATTERN, () => reference),
);
