import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Browser, type Page } from 'playwright-core';
import { openBrowser } from '../local/testing/browser.ts';
import { open } from './harness/http.ts';
import { inBothTopologies } from './harness/topologies.ts';

const PATH = '/docs-public';

describe('the view of the description', () => {
  inBothTopologies((gateway) => {
    const get = (path: string, headers: Record<string, string> = {}) => open(gateway(), 'GET', path, { headers });
    const filesOf = (page: string) => [...page.matchAll(/(?:src|href)="(docs-public\/[^"]+)"/g)].map(([, path]) => `/${path}`);

    it('allows nothing but its own origin, and no script within the page', async () => {
      const response = await get(PATH);
      const page = await response.text();
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(page).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=|https?:\/\//);
      expect(filesOf(page)).toHaveLength(3);
    });

    it('serves its files to be kept for good, compressed where that can be read, and no others', async () => {
      for (const path of filesOf(await (await get(PATH)).text())) {
        const response = await get(path);
        const text = await response.text();
        expect([response.status, text.length > 100]).toEqual([200, true]);
        expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        expect(response.headers.get('content-encoding')).toBe('gzip');
        const plain = await get(path, { 'accept-encoding': 'identity' });
        expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, text]);
        const again = await get(path, { 'if-none-match': response.headers.get('etag') ?? '' });
        expect([again.status, await again.text()]).toEqual([304, '']);
      }
      expect((await get(`${PATH}/swagger-ui.js`)).status).toBe(404);
      expect((await get(`${PATH}/..%2f..%2fpackage.json`)).status).toBe(404);
    });

    describe('in a browser', () => {
      let browser: Browser;
      let page: Page;
      const complaints: string[] = [];
      const asked: string[] = [];
      beforeAll(async () => {
        browser = await openBrowser();
        page = await browser.newPage({ viewport: { width: 1_280, height: 1_000 } });
        page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
        page.on('pageerror', (error) => complaints.push(error.message));
        page.on('request', (request) => asked.push(new URL(request.url()).origin));
        await page.goto(gateway().url + PATH);
        await page.locator('.opblock').first().waitFor();
      });
      afterAll(async () => browser.close());

      it('shows every operation, asks no other origin, and breaks no rule of its policy', async () => {
        await page.locator('#operations-chat-createChatCompletion').waitFor();
        expect(await page.locator('.opblock').count()).toBeGreaterThan(40);
        expect(await page.locator('.info .title').textContent()).toContain('0.9.0');
        expect([...new Set(asked)].filter((origin) => origin !== 'null')).toEqual([gateway().url]);
        expect(complaints).toEqual([]);
      });

      it('tries an operation with a key that was typed in', async () => {
        await page.locator('.auth-wrapper .authorize').click();
        await page.locator('.auth-container input').fill(gateway().apiKey);
        await page.locator('.auth-container .authorize').click();
        await page.locator('.auth-container .btn-done').click();
        const models = page.locator('#operations-models-listModels');
        await models.locator('.opblock-summary-control').click();
        await models.locator('.execute').click();
        const answer = models.locator('.live-responses-table .response').first();
        await answer.waitFor();
        expect(await answer.locator('.response-col_status').textContent()).toContain('200');
        expect(await answer.locator('.microlight, code').first().textContent()).toContain('auto');
        expect(complaints).toEqual([]);
      });
    });
  });
});
