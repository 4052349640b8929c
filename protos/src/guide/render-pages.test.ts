import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { CATALOGUE } from '../catalogue.ts';
import { renderErrorPages } from './render-pages.ts';

const FOLDER = join(import.meta.dirname, '../../../docs/errors');

describe('the pages on errors', () => {
  const pages = renderErrorPages();

  it('are those that the script writes: run npm run docs:errors', async () => {
    expect((await readdir(FOLDER)).toSorted()).toEqual([...pages.keys()].toSorted());
    for (const [file, text] of pages) expect({ file, text: await readFile(join(FOLDER, file), 'utf8') }).toEqual({ file, text });
  });

  it('tell of every code and status, and of each other spelling', () => {
    for (const { code, http, aliases } of Object.values(CATALOGUE)) {
      const page = pages.get(`${code.toLowerCase()}.md`)?.toLowerCase() ?? '';
      expect(page).toContain(String(http));
      for (const spelling of [code, ...aliases]) expect(page).toContain(`\`${spelling.toLowerCase()}\``);
    }
  });
});
