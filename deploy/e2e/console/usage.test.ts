import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { estimateSpeechMs } from '@parley/protos/quotas';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { ask, said } from '../harness/chat.ts';
import { expectAccessible, expectToBecome, inConsole } from '../harness/console.ts';
import { call } from '../harness/http.ts';
import { oneSharedGateway } from '../harness/one-gateway.ts';
import { openaiClient, saying } from '../harness/openai.ts';
import { Operator } from '../harness/operator.ts';
import { makePerson } from '../harness/person.ts';
import { makeTenant } from '../harness/tenant.ts';

/** The use of quotas, of a list of keys. */
const KEYS = z.array(z.object({ quota_use: z.array(z.object({ limit: z.int(), used: z.int() })) }));

/** A UTC day so long ago. */
const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

describe('usage, requests and errors in the console', () => {
  const gateway = oneSharedGateway('single');
  const open = inConsole(gateway);

  it('shows the use of a key as it happens, the same in numbers, drawing and file, and each request', async () => {
    const { workspaceId, apiKey } = await makeTenant(gateway);
    const person = await makePerson(gateway(), { roles: { [workspaceId]: 'admin' } });
    const { page, go } = await open({ person });
    await go('/usage?by=key', workspaceId);
    await page.getByRole('heading', { name: 'Nothing was used in this time' }).waitFor();
    const { client } = openaiClient(gateway(), { apiKey });
    for (let turn = 0; turn < 3; turn++) await client.chat.completions.create(saying('hello'));

    const row = page.getByRole('region', { name: 'All numbers by key' }).getByRole('row', { name: /a key/ });
    await row.getByRole('cell').nth(1).filter({ hasText: /^3$/ }).waitFor();
    const shown = await row.getByRole('cell').allInnerTexts();
    await page.getByRole('application', { name: 'Requests by key' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Show as a table' }).click();
    const drawn = page.getByRole('table', { name: 'Requests by key' }).getByRole('row', { name: /a key/ });
    await expectToBecome(() => drawn.getByRole('cell').allInnerTexts(), ['3', '0', '0']);

    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download CSV' }).click()]);
    expect(download.suggestedFilename()).toBe('usage-by-key-7d.csv');
    const [header = '', line = ''] = (await readFile(await download.path(), 'utf8')).split('\r\n');
    const columns = header.split(',');
    const cells = line.split(',');
    const inFile = ['name', 'requests', 'errors', 'rate_limited', 'tokens_in', 'tokens_out'].map((name) => cells[columns.indexOf(name)]);
    expect(inFile).toEqual(shown.slice(0, 6).map((text) => text.replaceAll(',', '')));

    await page.getByLabel('Time', { exact: true }).selectOption('Chosen days …');
    await page.getByLabel('First day').fill(dayAgo(30));
    await page.getByLabel('Last day').fill(dayAgo(29));
    await page.getByRole('heading', { name: 'Nothing was used in this time' }).waitFor();
    await page.getByLabel('Last day').fill(dayAgo(0));
    await row.getByRole('cell').nth(1).filter({ hasText: /^3$/ }).waitFor();
    const [ofDays] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download CSV' }).click()]);
    expect(ofDays.suggestedFilename()).toBe(`usage-by-key-${dayAgo(30)}-${dayAgo(0)}.csv`);

    await page.getByRole('link', { name: 'Requests' }).click();
    await waitFor(async () => (await page.getByRole('row', { name: /Completed/ }).count()) === 3);
    await expectAccessible(page);
    await client.chat.completions.create(saying('hello again'));
    await waitFor(async () => (await page.getByRole('row', { name: /Completed/ }).count()) === 4);
    await page.getByLabel('Status').selectOption('Failed');
    await page.getByRole('heading', { name: 'No request matches' }).waitFor();
  });

  it('shows what was spoken, and the quota of audio that it used up', async () => {
    const { workspaceId, userId } = await makeTenant(gateway);
    const text = 'The door is open, and the light is on. '.repeat(4).trim();
    const limit = Math.ceil(estimateSpeechMs(text.length) / 1_000);
    const facts = { workspace_id: workspaceId, user_id: userId, scopes: ['audio'], quotas: { audio_seconds: `${limit} per 2 hours` } };
    const { key } = await new Operator(gateway).createKey(facts);
    const spoken = await call(gateway(), 'POST', '/v1/audio/speech', { key, body: { model: 'tts-1', voice: 'slt', input: text } });
    expect(spoken.status).toBe(200);
    const person = await makePerson(gateway(), { roles: { [workspaceId]: 'admin' } });
    const { page, go } = await open({ person });
    await go('/usage?by=key&show=audio', workspaceId);
    await page.getByText('spoken and transcribed').waitFor();
    await page.getByRole('application', { name: 'Audio by key' }).waitFor();
    const near = page.getByRole('region', { name: 'Near a quota' }).getByRole('meter', { name: /seconds of audio/ });
    await near.waitFor();
    // Charged is what was spoken, which the length of the text foretells by about a tenth.
    const { json } = await new Operator(gateway).call('GET', `/keys?workspace_id=${workspaceId}&include=quota_use`);
    const { used } = KEYS.parse(json)
      .flatMap(({ quota_use }) => quota_use)
      .find((use) => use.limit === limit) ?? { used: 0 };
    expect(used / limit).toBeGreaterThanOrEqual(0.8);
    await expectToBecome(() => near.getAttribute('aria-valuetext'), `${used} of ${limit} in 2 hours`);
    await expectAccessible(page);
  });

  it('opens a request by its id: who was asked, where its time went, and what its error means', async () => {
    const { workspaceId, apiKey, accounts } = await makeTenant(gateway, ['sandbox', 'sandbox']);
    const person = await makePerson(gateway(), { roles: { [workspaceId]: 'admin' } });
    for (const account of accounts) await account.order({ fault: 'server_error' });
    const id = `trip/${randomUUID()}`;
    const failed = await ask(gateway(), { key: apiKey, headers: { 'x-request-id': id } });
    expect(failed.status).toBeGreaterThanOrEqual(500);
    const { code } = (failed.json as { error: { code: string } }).error;

    const { page, go } = await open({ person });
    await go('/requests', workspaceId);
    await page.getByRole('textbox', { name: 'Request id' }).fill(id);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Request' }).waitFor();
    const attempts = page.getByRole('region', { name: 'Attempts' }).getByRole('listitem');
    await attempts.nth(1).waitFor();
    const rows = await attempts.allInnerTexts();
    expect(rows.length).toBeGreaterThanOrEqual(2);
    for (const { label } of accounts) expect(rows.some((text) => text.includes(label) && text.includes('Failed'))).toBe(true);
    const parts = page.getByRole('table', { name: 'Where the time went' });
    await parts.getByRole('rowheader', { name: /Key, body and quotas/ }).waitFor();
    await expectToBecome(() => parts.getByRole('row', { name: /^Attempt/ }).count(), rows.length);
    await expectAccessible(page);

    await page.getByRole('note', { name: 'The error' }).getByRole('link', { name: code }).click();
    const entry = page.getByRole('article', { name: code });
    await entry.getByText('The error of your link').waitFor();
    await entry.getByText('What to do').first().waitFor();
  });

  it('explains every error to who is signed out, and finds it by words', async () => {
    const { page, go } = await open();
    await go('/errors#REVOKED_API_KEY');
    const meant = page.getByRole('article', { name: 'REVOKED_API_KEY' });
    await meant.getByText('The error of your link').waitFor();
    await waitFor(async () => ((await meant.boundingBox())?.y ?? Number.POSITIVE_INFINITY) < 800);
    await expectAccessible(page);
    await page.getByRole('searchbox').fill('401 revoked');
    await waitFor(async () => (await page.getByRole('article').count()) < 10);
    await meant.waitFor();
  });

  it('shows members what they did themselves, and no more', async () => {
    const { workspaceId, apiKey } = await makeTenant(gateway);
    const person = await makePerson(gateway(), { roles: { [workspaceId]: 'member' } });
    said(await ask(gateway(), { key: apiKey }));
    const { page, go } = await open({ person, language: 'zh' });
    await go('/usage', workspaceId);
    await page.getByText('您在此控制台和自己的会话中的用量。').waitFor();
    expect(await page.getByRole('button', { name: '下载 CSV' }).count()).toBe(0);
    await expectAccessible(page);
  });
});
