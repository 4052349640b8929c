import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { renderMetricsPage } from './metrics-page.ts';
import { METRICS } from './metrics.ts';

describe('docs/metrics.md', () => {
  it('is what the table says (npm run docs:metrics)', async () => {
    const page = await readFile(new URL('../../../../docs/metrics.md', import.meta.url), 'utf8');
    expect(page).toBe(renderMetricsPage());
    for (const name of Object.keys(METRICS)) expect(page).toContain(`| \`${name}\` `);
  });
});
