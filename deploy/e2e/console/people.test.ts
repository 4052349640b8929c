import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { expectAccessible, expectToBecome, inConsole } from '../harness/console.ts';
import { call } from '../harness/http.ts';
import { oneSharedGateway } from '../harness/one-gateway.ts';
import { makePerson } from '../harness/person.ts';
import { makeTenant } from '../harness/tenant.ts';

const SLOW_MS = 240_000;

describe('people in the console', () => {
  const gateway = oneSharedGateway('single');
  const open = inConsole(gateway);

  it(
    'are invited by a link, see what their role permits, and lose it',
    async () => {
      const { workspaceId } = await makeTenant(gateway, []);
      const owner = await makePerson(gateway(), { displayName: 'Ada', roles: { [workspaceId]: 'owner' } });
      const email = `${randomUUID()}@example.com`;
      const { page, go } = await open({ person: owner });
      await go('/people', workspaceId);
      await page.getByRole('row', { name: 'Ada' }).waitFor();
      await expectAccessible(page);
      await expectToBecome(() => page.getByRole('tab').allInnerTexts(), ['Members', 'Invitations', 'Service accounts', 'Audit log']);
      await page.getByRole('button', { name: 'Invite' }).click();
      await page.getByRole('textbox', { name: 'Email' }).fill(email);
      await page.getByRole('combobox', { name: 'Role in this workspace' }).selectOption('viewer');
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Make the link' }).click();
      const link = await page.getByLabel('Link of the invitation', { exact: true }).innerText();
      await page.getByRole('button', { name: 'I have copied it' }).click();

      const guest = await open();
      await guest.page.goto(link.trim());
      await guest.page.getByText('Your role in the workspace: Viewer').waitFor();
      await guest.page.waitForURL(`${gateway().url}/console/invitation`);
      await expectAccessible(guest.page);
      await guest.page.getByRole('textbox', { name: 'Name' }).fill('Grace');
      await guest.page.getByRole('textbox', { name: 'Password' }).fill('four quiet harbour lamps');
      await guest.page.getByRole('button', { name: 'Create the account and join' }).click();
      await guest.page.waitForURL(`**/console/w/${workspaceId}`);
      await guest.page.getByRole('link', { name: 'Conversations' }).waitFor();
      for (const hidden of ['Playground', 'Keys', 'Requests']) expect(await guest.page.getByRole('link', { name: hidden }).count()).toBe(0);
      await guest.go('/people?tab=audit', workspaceId);
      await guest.page.getByRole('row', { name: 'Grace' }).waitFor();
      await expectToBecome(() => guest.page.getByRole('tab').allInnerTexts(), ['Members']);
      expect(await guest.page.getByRole('button', { name: /^(Invite|Actions for)/ }).count()).toBe(0);

      await page.reload();
      await page.getByRole('button', { name: 'Actions for Grace' }).click();
      await page.getByRole('menuitem', { name: 'Remove from the workspace' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove from the workspace' }).click();
      await page.getByRole('row', { name: 'Grace' }).waitFor({ state: 'detached' });

      await page.getByRole('tab', { name: 'Audit log' }).click();
      await page.getByRole('search').getByRole('textbox', { name: 'Action' }).fill('member');
      await page.getByRole('button', { name: 'Filter' }).click();
      await page.getByRole('button', { name: 'member.delete' }).click();
      await page.getByRole('dialog', { name: 'member.delete' }).getByText(workspaceId, { exact: false }).waitFor();
      await page.getByRole('button', { name: 'Close' }).click();
      await expectAccessible(page);
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export as NDJSON' }).click();
      expect((await saved).suggestedFilename()).toBe('parley-audit.ndjson');
    },
    SLOW_MS,
  );

  it(
    'and programs are managed by who may: a secret once, a demanded second factor, a proof of the log',
    async () => {
      const { workspaceId } = await makeTenant(gateway, []);
      const admin = await makePerson(gateway(), { displayName: 'Ada', instanceRole: 'admin', roles: { [workspaceId]: 'admin' } });
      const debtor = await makePerson(gateway(), { requiresSecondFactor: true, roles: { [workspaceId]: 'owner' } });
      const { page, go } = await open({ person: admin });
      await go('/people?tab=service-accounts', workspaceId);
      await page.getByRole('button', { name: 'New service account' }).first().click();
      await page.getByRole('textbox', { name: 'Name' }).fill('terraform');
      await page.getByRole('button', { name: 'Create' }).click();
      const secret = await page.getByLabel('Secret of the service account', { exact: true }).innerText();
      expect(secret).toMatch(/^parley_sa_/);
      await page.getByRole('button', { name: 'I have copied it' }).click();
      await page.getByRole('row', { name: 'terraform' }).waitFor();
      expect(await page.getByText(secret).count()).toBe(0);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Actions for terraform' }).click();
      await page.getByRole('menuitem', { name: 'New secret' }).click();
      await page.getByRole('dialog', { name: 'Give terraform a new secret?' }).getByRole('button', { name: 'New secret' }).click();
      const next = await page.getByLabel('Secret of the service account', { exact: true }).innerText();
      const [client_id] = /[\da-f-]{36}/.exec(await page.getByRole('dialog').innerText()) ?? [];
      const tokenWith = (client_secret: string) => call(gateway(), 'POST', '/admin/v1/token', { body: { client_id, client_secret } });
      expect([(await tokenWith(next)).status, (await tokenWith(secret)).status]).toEqual([200, 401]);
      await page.getByRole('button', { name: 'I have copied it' }).click();
      await page.getByRole('tab', { name: 'All users' }).click();
      await page.getByRole('row').nth(1).waitFor();
      await expectAccessible(page);
      await page.getByRole('tab', { name: 'Sign-in providers' }).click();
      await page.getByRole('button', { name: 'Add a provider' }).first().click();
      await page.getByRole('textbox', { name: 'Short name' }).fill('company');
      await page.getByText(`${gateway().url}/me/v1/sign-in/oidc/company/callback`).waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await go('/people?tab=audit&scope=gateway', workspaceId);
      await page.getByRole('button', { name: 'Check the chain' }).click();
      await page.getByRole('status').getByText('The chain holds', { exact: false }).waitFor();

      const owes = await open({ person: debtor });
      await owes.page.goto(`${gateway().url}/console/w/${workspaceId}/keys`);
      await owes.page.waitForURL('**/console/account?tab=security');
      await owes.page.getByRole('button', { name: 'Set up the app' }).waitFor();
      expect(await owes.page.getByRole('navigation').count()).toBe(0);
      await expectAccessible(owes.page);
    },
    SLOW_MS,
  );
});
