import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ask } from '../harness/chat.ts';
import { expectAccessible, expectToBecome, inConsole } from '../harness/console.ts';
import { oneSharedGateway } from '../harness/one-gateway.ts';
import { Operator } from '../harness/operator.ts';
import { makePerson } from '../harness/person.ts';
import { type Account, makeTenant } from '../harness/tenant.ts';

describe('the settings of the console', () => {
  const gateway = oneSharedGateway('single');
  const open = inConsole(gateway);
  const operator = new Operator(gateway);

  it('makes a workspace, leads into it, bounds it and disables it', async () => {
    const { workspaceId } = await makeTenant(gateway);
    const person = await makePerson(gateway(), { instanceRole: 'owner', roles: { [workspaceId]: 'owner' } });
    const { page, go } = await open({ person });
    const name = `Research ${randomUUID()}`;
    await go('/settings', workspaceId);
    await page.getByRole('button', { name: 'New workspace' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.getByRole('dialog').getByRole('button', { name: 'New workspace' }).click();
    await page.waitForURL((url) => /\/w\/[^/]+\/people$/.test(url.pathname) && !url.pathname.includes(workspaceId));
    const made = /\/w\/([^/]+)\//.exec(new URL(page.url()).pathname)?.[1] ?? '';
    const choice = page.getByRole('combobox', { name: 'Workspace' });
    await choice.locator('option', { hasText: name }).waitFor({ state: 'attached' });
    await expectToBecome(() => choice.inputValue(), made);

    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('searchbox', { name: 'Search workspaces' }).fill(name);
    await page.getByRole('row', { name }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Rename and bound' }).click();
    await page.getByRole('spinbutton', { name: 'Requests at once' }).fill('7');
    await page.getByRole('combobox', { name: 'Tokens', exact: true }).selectOption('Limited');
    await page.getByRole('spinbutton', { name: 'Tokens: how many' }).fill('2000000');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /tokens: 2,000,000 per day/ }).waitFor();
    const bounded = await operator.call('PATCH', `/workspaces/${made}`, { name });
    expect(bounded.json).toMatchObject({ max_concurrency: 7, quotas: { tokens: '2000000 per 1 day', requests: null } });

    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Disable workspace' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable workspace' }).click();
    await page.getByRole('row', { name: /Disabled/ }).waitFor();
  });

  it('makes a route profile that chats go by', async () => {
    const tenant = await makeTenant(gateway, ['sandbox', 'sandbox', 'sandbox']);
    const { workspaceId, apiKey } = tenant;
    const [first, second, third] = tenant.accounts as [Account, Account, Account];
    const person = await makePerson(gateway(), { roles: { [workspaceId]: 'admin' } });
    const { page, go } = await open({ person });
    await go('/settings?tab=route-profiles', workspaceId);
    await page.getByRole('button', { name: 'New route profile' }).click();
    await page.getByRole('textbox', { name: 'Slug' }).fill('careful');
    for (const { label } of [second, third]) {
      await page.getByRole('combobox', { name: 'Account' }).fill(label);
      await page.keyboard.press('Enter');
    }
    await page.getByRole('button', { name: `Move ${third.label} up` }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: `careful In this order ${third.label} → ${second.label}` }).waitFor();
    await expectAccessible(page);

    for (let turn = 0; turn < 3; turn++) {
      const answer = await ask(gateway(), { key: apiKey, headers: { 'x-service-route-profile': 'careful' } });
      expect(answer.status).toBe(200);
    }
    const begun = await Promise.all([first, second, third].map(async (account) => (await account.report()).conversations.length));
    expect(begun).toEqual([0, 0, 3]);

    await page.getByRole('button', { name: 'Delete careful' }).click();
    await page.getByRole('button', { name: 'Delete profile' }).click();
    await page.getByText('There are no route profiles').waitFor();
    expect((await ask(gateway(), { key: apiKey, headers: { 'x-service-route-profile': 'careful' } })).status).not.toBe(200);
  });

  it('keeps internal projects, and tells the bounds and the state of the gateway', async () => {
    const { workspaceId } = await makeTenant(gateway);
    const person = await makePerson(gateway(), { instanceRole: 'auditor', roles: { [workspaceId]: 'admin' } });
    const { page, go } = await open({ person });
    await go('/settings?tab=internal-projects', workspaceId);
    await page.getByRole('button', { name: 'New internal project' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Support');
    await page.getByRole('textbox', { name: 'Slug' }).fill('Not A Slug');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Lower-case letters').waitFor();
    await page.getByRole('textbox', { name: 'Slug' }).fill('support');
    await page.getByRole('combobox', { name: 'Policy' }).selectOption("Needs a provider's project");
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /Support support Needs a provider's project/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Delete Support' }).click();
    await page.getByRole('button', { name: 'Delete project' }).click();
    await page.getByText('There are no internal projects').waitFor();

    await page.getByRole('tab', { name: 'Limits' }).click();
    await page.getByRole('heading', { name: 'Bounds of this workspace' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('tab', { name: 'About' }).click();
    await page.getByText('All is well.').waitFor();
    await page.setViewportSize({ width: 375, height: 812 });
    await page.reload();
    await page.getByText('All is well.').waitFor();
    // A page fits a phone, and of a row of tabs the chosen one is in sight.
    await expectToBecome(() => page.locator('main').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0);
    const { x = 0, width = 0 } = (await page.getByRole('tab', { name: 'About' }).boundingBox()) ?? {};
    expect(x + width).toBeLessThanOrEqual(375);
    await page.getByRole('tab', { name: 'Restore' }).click();
    await page.getByText('npx parley restore').waitFor();
    await expectAccessible(page);
  });
});
