import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { LIMIT_SETTINGS } from './limit-settings.ts';

const page = (name: string) => readFileSync(new URL(`../../../../../../docs/${name}.md`, import.meta.url), 'utf8');

it('names only settings that the documents it points to explain', () => {
  const documents = page('limits') + page('operations');
  expect(LIMIT_SETTINGS.filter(({ setting }) => !documents.includes(`\`${setting}\``))).toEqual([]);
});
