import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { randomUUID } from 'node:crypto';
import { type Page } from 'playwright-core';
import { CHAT, stream } from '../harness/chat.ts';
import { expectAccessible, expectToBecome, inConsole } from '../harness/console.ts';
import { query } from '../harness/database.ts';
import { readUntil } from '../harness/event-stream.ts';
import { expectRefusal } from '../harness/expectations.ts';
import { call } from '../harness/http.ts';
import { oneSharedGateway } from '../harness/one-gateway.ts';
import { openaiClient, saying } from '../harness/openai.ts';
import { makePerson } from '../harness/person.ts';
import { Sandbox } from '../harness/sandbox.ts';
import { makeTenant } from '../harness/tenant.ts';

const MANY = 10_000;

describe('keys in the console', () => {
  const gateway = oneSharedGateway('single');
  const open = inConsole(gateway);
  const makeMember = async (role: string) => {
    const tenant = await makeTenant(gateway);
    return { ...tenant, person: await makePerson(gateway(), { roles: { [tenant.workspaceId]: role } }) };
  };

  it('makes a key, shows it once, and shows how it is used up, until it is revoked under a running answer', async () => {
    const { workspaceId, person } = await makeMember('owner');
    const { page, go } = await open({ person });
    await go('/keys', workspaceId);
    const key = await createKey(page, 'billing bot', 5);
    expect(await page.getByText(key).count()).toBe(0);

    const { client } = openaiClient(gateway(), { apiKey: key });
    for (let turn = 0; turn < 4; turn++) await client.chat.completions.create(saying('hello'));
    const row = page.getByRole('row', { name: /billing bot/ });
    await row.getByText('4 requests in 24 hours').waitFor();
    // Quotas are read beside the report.
    await expectToBecome(() => row.getByRole('meter').getAttribute('aria-valuetext'), 'Requests: 4 of 5 in 1 day');
    await page.getByText('Near its quota: billing bot').waitFor();
    await expectAccessible(page);

    await new Sandbox(gateway).paced(20, async () => {
      const { reader } = await readUntil(await stream(gateway(), { key, say: 'count to 100' }), (raw) => raw.includes('" 3"'));
      await row.getByRole('button', { name: 'Actions for billing bot' }).click();
      await page.getByRole('menuitem', { name: 'Revoke key' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
      await row.getByText('Revoked').waitFor();
      expect(await readRest(reader)).toContain('[DONE]');
    });
    const refused = await waitFor(async () => {
      const answer = await call(gateway(), 'POST', CHAT, { key, body: saying('hello') });
      return answer.status === 401 ? answer : undefined;
    });
    expectRefusal(refused, { status: 401, code: 'REVOKED_API_KEY' });
  });

  it('shows a member only the own keys, which a member can rename and not widen', async () => {
    const { workspaceId, person } = await makeMember('member');
    const { page, go } = await open({ person, size: { width: 375, height: 700 } });
    await go('/keys', workspaceId);
    await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
    await createKey(page, 'laptop', 10);
    await page.getByRole('button', { name: 'laptop', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Requests: how many').fill('11');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/must not allow more/)
      .waitFor();
    await dialog.getByLabel('Name').fill('old laptop');
    await dialog.getByLabel('Requests: how many').fill('9');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /old laptop/ }).waitFor();
    const [stored] = await query<{ quota_requests: string }>(
      gateway(),
      'SELECT quota_requests FROM edge.api_keys WHERE user_id = $1 AND NOT is_personal',
      [person.userId],
    );
    expect(stored?.quota_requests).toBe('9 per 1 day');
  });

  it('lists 10,000 keys with a few dozen rows in the page, and finds one of them', async () => {
    const { workspaceId, userId, person } = await makeMember('admin');
    await query(
      gateway(),
      `INSERT INTO edge.api_keys (id, workspace_id, user_id, name, prefix, hash, scopes, created_at)
       SELECT gen_random_uuid(), $1, $2, 'key number ' || n, 'gmk_live_' || n, sha256(($3 || n)::bytea), '{chat}', now() - n * interval '1 minute'
         FROM generate_series(1, $4::int) AS n`,
      [workspaceId, userId, randomUUID(), MANY],
    );
    const { page, go } = await open({ person });
    await go('/keys', workspaceId);
    await page.getByText('The first 200 keys').waitFor();
    const region = page.getByRole('region', { name: 'Keys' });
    const oldest = page.getByRole('row', { name: /key number (9\d\d|[1-9]\d{3}) / });
    await waitFor(async () => {
      await region.press('End');
      return (await oldest.count()) > 0;
    });
    expect(await page.getByRole('row').count()).toBeLessThan(60);
    await page.getByRole('searchbox', { name: /^Search/ }).fill('key number 777');
    await page.getByText('11 keys').waitFor();
    // 777 and 7770 to 7779: the gateway has looked through all of them.
    await page.getByRole('row', { name: /key number 7779/ }).waitFor();
    await expectToBecome(() => page.getByRole('row').count(), 12);
    await page.getByRole('button', { name: 'Name' }).click();
    await page.getByRole('columnheader', { name: 'Name', exact: true }).and(page.locator('[aria-sort=ascending]')).waitFor();
    await page.getByRole('searchbox', { name: /^Search/ }).fill('nothing like this');
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
  });
});

/** Makes a key with a quota of requests in a day through the page. Returns the key. */
async function createKey(page: Page, name: string, limit: number): Promise<string> {
  await page.getByRole('button', { name: 'Create key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('Give it a name').waitFor();
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Requests: quota').selectOption('At most');
  await dialog.getByLabel('Requests: how many').fill(String(limit));
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const key = await dialog.getByLabel('The new key', { exact: true }).inputValue();
  expect(key).toMatch(/^gmk_live_/);
  await dialog.getByRole('button', { name: 'Copy The new key' }).click();
  await expectToBecome(() => page.evaluate<string>('navigator.clipboard.readText()'), key);
  await dialog.getByRole('tab', { name: 'Python' }).click();
  await dialog.getByText(`api_key="${key}"`).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('row', { name: new RegExp(name) }).waitFor();
  return key;
}

/** What is left of a stream. */
async function readRest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) rest += decoder.decode(part.value, { stream: true });
  return rest;
}
