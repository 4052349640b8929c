import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ask, said } from '../harness/chat.ts';
import { Connecting, toFlow } from '../harness/connecting.ts';
import { expectAccessible, expectToBecome, inConsole } from '../harness/console.ts';
import { query } from '../harness/database.ts';
import { expectRefusal } from '../harness/expectations.ts';
import { oneSharedGateway } from '../harness/one-gateway.ts';
import { makePerson } from '../harness/person.ts';
import { Sandbox } from '../harness/sandbox.ts';
import { exhaustAccount } from '../harness/spoil-account.ts';
import { makeTenant, onlyAccount } from '../harness/tenant.ts';

describe('connections in the console', () => {
  const gateway = oneSharedGateway('single');
  const open = inConsole(gateway);

  it('connects an account with a one-time code and a second factor, and says what a wrong code costs', async () => {
    const { workspaceId } = await makeTenant(gateway, []);
    const connecting = await Connecting.prepare(gateway, workspaceId);
    const sandbox = new Sandbox(gateway);
    const { page, go } = await open({ person: connecting.person });
    await go('/connections', workspaceId);
    await page.getByRole('heading', { name: 'No account is connected yet' }).waitFor();
    await page.getByRole('button', { name: 'Connect account' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Connect an account' });
    const next = dialog.getByRole('button', { name: 'Next' });
    await dialog.getByRole('radio', { name: 'Sandbox' }).check();
    await dialog.getByLabel('Label (optional)').fill('by-code');
    await expectAccessible(page);
    await next.click();

    await dialog.getByLabel('Account').fill(connecting.account);
    await dialog.getByLabel('Password').fill(connecting.password);
    await next.click();
    const code = dialog.getByLabel('Code', { exact: true });
    await code.fill('wrong');
    await next.click();
    await dialog.getByText('4 tries are left.').waitFor();
    await expectAccessible(page);
    await code.fill(await sandbox.mailedCode(connecting.account));
    await next.click();
    await dialog.getByLabel('Second factor').selectOption('Code of the authenticator app');
    await next.click();
    await dialog.getByText('Enter the code that the authenticator app shows.').waitFor();
    await code.fill(await sandbox.appCode(connecting.account));
    await next.click();
    await dialog.getByText('“by-code” is connected.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('article', { name: 'by-code' }).getByText('Active').waitFor();
  });

  it('signs in again to an account whose session has ended, and its conversation goes on', async () => {
    const { workspaceId, apiKey: key } = await makeTenant(gateway, []);
    const connecting = await Connecting.prepare(gateway, workspaceId);
    const sandbox = new Sandbox(gateway);
    await connecting.finish(toFlow(await connecting.begin({ provider: 'sandbox', label: 'mine' })));
    const { conversation } = said(await ask(gateway(), { key, say: 'remember the blue door' }));
    const { page, go } = await open({ person: connecting.person, size: { width: 375, height: 800 } });
    await go('/connections', workspaceId);
    const card = page.getByRole('article', { name: 'mine' });
    await card.getByText('Active').waitFor();
    await sandbox.expireSessions(connecting.account);
    expectRefusal(await ask(gateway(), { key, conversation, say: 'say here' }), { status: 403, code: 'ACCOUNT_REAUTH_REQUIRED' });
    await card.getByText('Session expired').waitFor();
    await card.getByText('Reconnect it.', { exact: false }).waitFor();
    await expectAccessible(page);

    await card.getByRole('button', { name: 'What to do with mine' }).click();
    await page.getByRole('menuitem', { name: 'Reconnect' }).click();
    const dialog = page.getByRole('dialog', { name: 'Reconnect “mine”' });
    await dialog.getByRole('button', { name: 'Sign in again' }).click();
    await dialog.getByLabel('Account').fill(connecting.account);
    await dialog.getByLabel('Password').fill(connecting.password);
    const code = dialog.getByLabel('Code', { exact: true });
    await page.keyboard.press('Enter');
    await code.fill(await mailed());
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Second factor').selectOption('Code of the authenticator app');
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByText('Enter the code that the authenticator app shows.').waitFor();
    await code.fill(await sandbox.appCode(connecting.account));
    await page.keyboard.press('Enter');
    await dialog.getByText('“mine” is connected.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await card.getByText('Active').waitFor();
    expect(said(await ask(gateway(), { key, conversation, say: 'what did I ask you to remember?' })).text).toContain('the blue door');

    async function mailed(): Promise<string> {
      // The code is sent before the page asks for it.
      await code.waitFor();
      return sandbox.mailedCode(connecting.account);
    }
  });

  it('connects with a key, tests, disables before the eyes of others, and removes', async () => {
    const { workspaceId } = await makeTenant(gateway, []);
    const owner = await makePerson(gateway(), { displayName: 'Ada', instanceRole: 'owner', roles: { [workspaceId]: 'owner' } });
    const viewer = await makePerson(gateway(), { displayName: 'Vic', roles: { [workspaceId]: 'viewer' } });
    const id = `acc-${randomUUID()}`;
    await new Sandbox(gateway).putAccount({ id, password: 'correct-horse', apiKey: `sk-${id}` });
    const { page, go } = await open({ person: owner });
    await go('/connections', workspaceId);
    await page.getByRole('button', { name: 'Connect account' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Connect an account' });
    await dialog.getByRole('tab', { name: 'With a key and options' }).click();
    await dialog.getByLabel('Provider').selectOption('openai-compatible');
    await dialog.getByLabel('Label', { exact: true }).fill('by key');
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await dialog.getByText('Begin with a letter or a digit').waitFor();
    await dialog.getByLabel('Label', { exact: true }).fill('by-key');
    await dialog.getByLabel('Base URL').fill(`${gateway().run.sandbox_url}/v1`);
    await dialog.getByLabel('API key', { exact: true }).fill(`sk-${id}`);
    await dialog.getByLabel('Turns at once').fill('3');
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await dialog.getByRole('link', { name: 'Show connection' }).click();

    await page.getByRole('heading', { level: 1, name: 'by-key' }).waitFor();
    await expectToBecome(() => page.getByLabel('Turns at once').inputValue(), '3');
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByText('The account works.').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await expectAccessible(page);
    await go('/connections', workspaceId);
    await page.getByRole('button', { name: 'Rotate secrets' }).click();
    const rotation = page.getByRole('dialog', { name: 'Rotate secrets' });
    await rotation.getByRole('button', { name: 'Rotate secrets' }).click();
    // No account of a gateway with one key is behind it.
    await rotation.getByRole('status').getByText('Every secret is encrypted with the key').waitFor();
    await expectAccessible(page);
    await rotation.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'by-key' }).click();

    const other = await open({ person: viewer });
    await other.go('/connections', workspaceId);
    const card = other.page.getByRole('article', { name: 'by-key' });
    await card.getByText('Active').or(card.getByText('Not tried yet')).waitFor();
    expect(await other.page.getByRole('button', { name: 'Connect account' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await card.getByText('Disabled').waitFor();
    await expectAccessible(other.page);

    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.waitForURL(`**/w/${workspaceId}/connections`);
    await other.page.getByText('No account is connected yet').waitFor();
  });

  it('counts down while an account cools down, and shows what failed', async () => {
    const tenant = await makeTenant(gateway);
    const { workspaceId } = tenant;
    const owner = await makePerson(gateway(), { displayName: 'Ada', roles: { [workspaceId]: 'owner' } });
    const { page, go } = await open({ person: owner });
    await go('/connections', workspaceId);
    const card = page.getByRole('article', { name: onlyAccount(tenant).label });
    await card.waitFor();
    await exhaustAccount(gateway(), tenant);
    await card.getByText('Cooling down').waitFor();
    await card.getByText('The provider failed several times.').waitFor();
    const before = await card.getByRole('timer').innerText();
    await card.getByRole('timer').filter({ hasNotText: before }).waitFor();
    await expectAccessible(page);
    await card.getByRole('link', { name: onlyAccount(tenant).label }).click();
    await page.getByRole('region', { name: 'Last failed turns' }).getByRole('link', { name: 'Show request' }).first().waitFor();
  });

  it('scrolls and searches through thousands, of which only those in sight are in the page', async () => {
    const { workspaceId } = await makeTenant(gateway, []);
    const owner = await makePerson(gateway(), { displayName: 'Ada', roles: { [workspaceId]: 'owner' } });
    await query(
      gateway(),
      `INSERT INTO routing.connections (id, workspace_id, label, provider, base_url, account, models, updated_at, created_at)
       SELECT gen_random_uuid(), $1, 'account-' || n, 'openai', 'http://127.0.0.1:1/v1', '', '{}', now(), now() + n * interval '1 ms'
       FROM generate_series(1, 2000) n`,
      [workspaceId],
    );
    const { page, go } = await open({ person: owner });
    await go('/connections', workspaceId);
    await page.getByText('2000 connections', { exact: true }).waitFor();
    await page.getByRole('article', { name: 'account-1', exact: true }).waitFor();
    await page.evaluate('document.querySelector("main").scrollTop = 1e9');
    await page.getByRole('article', { name: 'account-2000' }).waitFor();
    expect(await page.getByRole('article').count()).toBeLessThan(60);
    // Of a page that was never in sight.
    await page.getByRole('searchbox', { name: 'Find by label or provider' }).fill('account-1234');
    await page.getByText('1 connection', { exact: true }).waitFor();
    await page.getByRole('article', { name: 'account-1234' }).waitFor();
    await page.waitForURL((url) => url.searchParams.get('q') === 'account-1234');
  });
});
