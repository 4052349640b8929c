import { describe, expect, it } from '@jest/globals';
import { expectAccessible, expectToBecome, inConsole } from '../harness/console.ts';
import { oneSharedGateway } from '../harness/one-gateway.ts';
import { makePerson } from '../harness/person.ts';
import { makeTenant } from '../harness/tenant.ts';

describe('projects in the console', () => {
  const gateway = oneSharedGateway('single');
  const open = inConsole(gateway);

  it('makes a project with a file, shows the conversation that begins in it, and deletes it', async () => {
    const { workspaceId } = await makeTenant(gateway);
    const person = await makePerson(gateway(), { displayName: 'Ada', roles: { [workspaceId]: 'owner' } });
    const { page, go } = await open({ person });
    await go('/projects', workspaceId);
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor();
    await page.getByRole('button', { name: 'Create project' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a project' });
    await dialog.getByLabel('Name').fill('Blue door');
    await dialog.getByLabel('Instructions').fill('Answer in one word.');
    await dialog.getByLabel('Memory').selectOption('project_only');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Create project' }).click();

    await page.getByRole('heading', { level: 1, name: 'Blue door' }).waitFor();
    await expectToBecome(() => page.getByRole('textbox', { name: 'Instructions' }).inputValue(), 'Answer in one word.');
    const [shut, large] = [Buffer.from('the door is blue'), Buffer.alloc(10 * 1024 ** 2 + 1)];
    await page.locator('input[type=file]').setInputFiles([
      { name: 'large.txt', mimeType: 'text/plain', buffer: large },
      { name: 'door.txt', mimeType: 'text/plain', buffer: shut },
    ]);
    await page.getByText('A file has at most 10 MB.').waitFor();
    const file = page.getByRole('list', { name: 'Files' }).getByRole('listitem').filter({ hasText: 'door.txt' });
    await file.getByText('Ready').waitFor();

    const chat = (await page.getByRole('link', { name: 'Chat in this project' }).getAttribute('href')) ?? '';
    const slug = new URL(chat, gateway().url).searchParams.get('project') ?? '';
    const answer = await person.call('POST', '/me/v1/chat/completions', {
      headers: { 'x-service-workspace': workspaceId, 'x-service-upstream-project': slug },
      body: { model: 'auto', messages: [{ role: 'user', content: 'say hello' }] },
    });
    expect(answer.status).toBe(200);
    await page.getByRole('list', { name: 'Your conversations' }).getByRole('link', { name: 'say hello' }).waitFor();
    await expectAccessible(page);

    await file.getByRole('button', { name: 'Remove door.txt' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove file' }).click();
    await file.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete project' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete project' }).click();
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor();
  });

  it('lets an admin take a project from the workspace and give it back, and a viewer only look', async () => {
    const { workspaceId } = await makeTenant(gateway);
    const person = await makePerson(gateway(), { displayName: 'Ada', roles: { [workspaceId]: 'admin' } });
    const viewer = await makePerson(gateway(), { displayName: 'Vic', roles: { [workspaceId]: 'viewer' } });
    const headers = { 'x-service-workspace': workspaceId };
    expect((await person.call('POST', '/me/v1/projects', { headers, body: { name: 'Shared' } })).status).toBe(201);
    const { page, go } = await open({ person });
    await go('/projects', workspaceId);
    const menu = page.getByRole('button', { name: 'Binding of Shared' });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Take from the workspace' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take from the workspace' }).click();
    await page.getByText('Not bound').waitFor();
    await expectAccessible(page);
    await menu.click();
    await page.getByRole('menuitem', { name: 'Bind to the workspace' }).click();
    await page.getByRole('link', { name: 'Shared' }).waitFor();

    const other = await open({ person: viewer });
    await other.go('/projects', workspaceId);
    await other.page.getByRole('link', { name: 'Shared' }).click();
    await other.page.getByText('The project has no files.').waitFor();
    expect(await other.page.getByRole('button', { name: /Delete|Add files|Save/ }).count()).toBe(0);
  });
});
