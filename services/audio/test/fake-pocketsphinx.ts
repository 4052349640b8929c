import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder as packages leave it, with a program that does as `script` says. */
export async function fakePocketsphinx(folder: string, script: string): Promise<string> {
  const models = join(folder, 'usr/share/pocketsphinx/model/en-us');
  await mkdir(join(models, 'en-us'), { recursive: true });
  for (const part of ['en-us.lm.bin', 'cmudict-en-us.dict']) await writeFile(join(models, part), '');
  await mkdir(join(folder, 'usr/lib/somewhere'), { recursive: true });
  await writeFile(join(folder, 'usr/lib/somewhere/libpocketsphinx.so.3'), '');
  await mkdir(join(folder, 'usr/bin'), { recursive: true });
  const program = join(folder, 'usr/bin/pocketsphinx_continuous');
  await writeFile(program, `#!/bin/sh\n${script}\n`);
  await chmod(program, 0o755);
  return folder;
}
