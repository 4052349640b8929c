import { describe, expect, it } from '@jest/globals';
import { type Page } from 'playwright-core';
import { expectAccessible, inConsole } from '../harness/console.ts';
import { oneSharedGateway } from '../harness/one-gateway.ts';
import { makePerson, type Person } from '../harness/person.ts';
import { Sandbox } from '../harness/sandbox.ts';
import { makeTenant, onlyAccount } from '../harness/tenant.ts';

describe('conversations in the console', () => {
  const gateway = oneSharedGateway('single');
  const open = inConsole(gateway);
  const enter = async () => {
    const tenant = await makeTenant(gateway);
    const { workspaceId } = tenant;
    const person = await makePerson(gateway(), { displayName: 'Ada', roles: { [workspaceId]: 'member' } });
    return { workspaceId, person, account: onlyAccount(tenant) };
  };
  const chat = async (person: Person, workspaceId: string, text: string) => {
    const body = { model: 'auto', messages: [{ role: 'user', content: text }] };
    const answer = await person.call('POST', '/me/v1/chat/completions', { body, headers: { 'x-service-workspace': workspaceId } });
    expect(answer.status).toBe(200);
  };
  const command = async (page: Page, name: string) => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

  it('finds one, goes on with it, renames, pins, archives, shares, exports and deletes it', async () => {
    const { workspaceId, person } = await enter();
    const grace = await makePerson(gateway(), { displayName: 'Grace', roles: { [workspaceId]: 'member' } });
    await chat(person, workspaceId, 'say the lighthouse is old');
    await chat(person, workspaceId, 'say something else');
    const { page, go } = await open({ person });
    await go('/conversations', workspaceId);
    const table = page.getByRole('table', { name: 'Conversations' });
    await table.getByRole('link').nth(1).waitFor();
    await expectAccessible(page);
    await page.getByRole('searchbox').fill('lighthouse');
    await page.getByText('1 conversation', { exact: true }).waitFor();
    await table.getByRole('link').click();
    await page.getByRole('article', { name: 'Assistant' }).getByText('the lighthouse is old').waitFor();
    await expectAccessible(page);

    await page.getByRole('link', { name: 'Go on' }).click();
    await page.getByRole('textbox', { name: 'Message' }).fill('how many messages?');
    await page.keyboard.press('Enter');
    await page.getByText('This conversation has 3 messages').first().waitFor();
    await page.getByRole('link', { name: 'Open in Conversations' }).click();

    await command(page, 'Rename');
    await page.getByRole('textbox', { name: 'Title' }).fill('Old towers');
    await page.keyboard.press('Enter');
    await title(page, 'Old towers');
    await command(page, 'Pin');
    await page.locator('header').getByText('Pinned').waitFor();
    await command(page, 'Archive');
    await page.locator('header').getByText('Archived').waitFor();
    await command(page, 'Restore');
    await page.locator('header').getByText('Archived').waitFor({ state: 'detached' });

    await command(page, 'Share or hand over');
    await page.getByRole('combobox', { name: 'Person' }).selectOption({ label: `Grace (${grace.email})` });
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('combobox', { name: 'Role of Grace' }).waitFor();
    await expectAccessible(page);
    const saving = page.waitForEvent('download');
    await command(page, 'As Markdown, to read');
    expect((await saving).suggestedFilename()).toBe('Old-towers.md');

    const other = await open({ person: grace });
    await other.go('/conversations', workspaceId);
    await other.page.getByRole('link', { name: 'Old towers' }).click();
    await title(other.page, 'Old towers');
    expect(await other.page.getByRole('link', { name: 'Go on' }).count()).toBe(0);
    await page.getByRole('combobox', { name: 'Role of Grace' }).selectOption('Editor');
    // The change comes to the open page by itself.
    await other.page.getByRole('link', { name: 'Go on' }).waitFor();

    await command(page, 'Delete');
    await page.getByRole('dialog', { name: 'Delete this conversation?' }).getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/conversations(\?|$)/);
    await page.getByText('1 conversation', { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Old towers' }).count()).toBe(0);
  });

  it('says why one cannot go on and what to do, and hands one over', async () => {
    const { workspaceId, person, account } = await enter();
    const grace = await makePerson(gateway(), { displayName: 'Grace', roles: { [workspaceId]: 'member' } });
    await chat(person, workspaceId, 'hello');
    const sandbox = new Sandbox(gateway);
    const [upstream] = (await account.report()).conversations;
    await sandbox.change(upstream?.id ?? '', 'delete');
    const { page, go } = await open({ person, size: { width: 375, height: 740 } });
    await go('/conversations', workspaceId);
    await page.getByRole('link', { name: 'hello' }).click();
    await command(page, 'Sync with the upstream');
    const note = page.getByRole('region', { name: 'Whether the conversation can go on' });
    await note.getByText('The conversation was deleted at the upstream.', { exact: false }).waitFor();
    await expectAccessible(page);
    await sandbox.change(upstream?.id ?? '', 'restore');
    await note.getByRole('button', { name: 'Sync with the upstream' }).click();
    await note.waitFor({ state: 'detached' });

    await page.getByRole('tab', { name: 'People' }).click();
    await page.getByRole('combobox', { name: 'New owner' }).selectOption({ label: `Grace (${grace.email})` });
    await page.getByRole('button', { name: 'Hand over' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Hand over' }).click();
    await page.getByText('Only its owner shares a conversation or hands it over.').waitFor();
  });
});
