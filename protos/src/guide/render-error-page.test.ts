import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ERROR_CATALOGUE } from '../error-catalogue.ts';
import { renderErrorPage } from './render-error-page.ts';

const PAGE = join(import.meta.dirname, '../../../docs/errors/README.md');

describe('the error reference', () => {
  const page = renderErrorPage();

  it('is the page in docs/errors: run npm run docs:errors', async () => {
    expect(await readFile(PAGE, 'utf8')).toBe(page);
  });

  it('has a section with its own anchor for each code, with every status and other spelling', () => {
    const sections = page.split(/^### (?=`)/m).slice(1);
    const anchors = sections.map((section) => section.slice(1, section.indexOf('`', 1)).toLowerCase());
    expect(new Set(anchors).size).toBe(anchors.length);
    for (const { code, http, aliases } of Object.values(ERROR_CATALOGUE)) {
      const section = sections[anchors.indexOf(code.toLowerCase())]?.toLowerCase();
      expect(section).toContain(`status ${http}, code \`${code.toLowerCase()}\``);
      for (const spelling of aliases) expect(section).toContain(`\`${spelling.toLowerCase()}\``);
    }
  });

  it('links to sections that exist', () => {
    const anchors = [...page.matchAll(/^### `([^`]+)`$/gm)].map(([, code]) => code?.toLowerCase());
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    expect(new Set(links)).toEqual(new Set(anchors));
  });
});
