import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { ask } from '../harness/chat.ts';
import { expectAccessible, inConsole } from '../harness/console.ts';
import { oneSharedGateway } from '../harness/one-gateway.ts';
import { makePerson } from '../harness/person.ts';
import { connectAccount, makeTenant } from '../harness/tenant.ts';

describe('the first screen of the console', () => {
  const gateway = oneSharedGateway('single');
  const open = inConsole(gateway);

  it('says how it is, leads on, and moves with what happens', async () => {
    const { workspaceId, apiKey } = await makeTenant(gateway, []);
    const person = await makePerson(gateway(), { displayName: 'Ada', roles: { [workspaceId]: 'owner' } });
    const { page, go } = await open({ person });
    await go('/', workspaceId);
    const health = page.getByRole('region', { name: 'Health' });
    await health.getByText('No account is connected yet').waitFor();
    expect(await health.getByRole('link', { name: 'Connect account' }).getAttribute('href')).toContain('connect=true');
    await connectAccount(gateway, workspaceId, 'sandbox');
    await health.getByText('Everything is well: 1 connection takes turns.').waitFor();

    const call = page.getByRole('listitem').filter({ hasText: 'Send a request from a program' });
    await call.getByRole('img', { name: 'To do' }).waitFor();
    await ask(gateway(), { key: apiKey });
    await call.getByRole('img', { name: 'Done' }).waitFor();
    const day = page.getByRole('region', { name: 'The last 24 hours' });
    await day.getByText('nothing failed').waitFor();
    await page.getByRole('region', { name: 'Requests by the hour' }).waitFor();
    await expectAccessible(page);
  });

  it('shows each client with the address of this gateway, and no key', async () => {
    const { workspaceId } = await makeTenant(gateway);
    const person = await makePerson(gateway(), { displayName: 'Mia', roles: { [workspaceId]: 'member' } });
    const { page, go } = await open({ person, size: { width: 375, height: 800 } });
    await go('/', workspaceId);
    const clients = page.getByRole('region', { name: 'Use it from your programs' });
    for (const name of ['curl', 'openai (Python)', 'openai (Node)', 'AI SDK', 'LangChain', 'Open WebUI']) {
      await clients.getByRole('tab', { name, exact: true }).click();
      const code = await clients.getByRole('tabpanel', { name, exact: true }).locator('pre').innerText();
      expect(code).toContain(`${gateway().url}/v1`);
      expect(code).toContain('YOUR_API_KEY');
    }
    await clients.getByRole('button', { name: 'Copy Open WebUI' }).click();
    await waitFor(async () => (await page.evaluate<string>('navigator.clipboard.readText()')).includes(`${gateway().url}/v1`));
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByRole('link', { name: 'Make an API key' }).waitFor();
    expect(await steps.getByRole('link', { name: 'Invite people' }).count()).toBe(0);
    await expectAccessible(page);
  });
});
