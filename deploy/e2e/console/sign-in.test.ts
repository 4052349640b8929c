import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Page } from 'playwright-core';
import { startOidcProvider } from '../../../edge/test/oidc-provider.ts';
import { expectAccessible, expectToBecome, inConsole } from '../harness/console.ts';
import { query } from '../harness/database.ts';
import { oneSharedGateway } from '../harness/one-gateway.ts';
import { Operator } from '../harness/operator.ts';
import { makePerson } from '../harness/person.ts';
import { makeTenant } from '../harness/tenant.ts';
import { addAuthenticator } from '../people/browser-passkeys.ts';

describe('ways into the console besides a password', () => {
  const gateway = oneSharedGateway('single');
  const open = inConsole(gateway);

  it('are a passkey, which is shown again before a change of factors, and no longer counts once it is removed', async () => {
    const { workspaceId } = await makeTenant(gateway, []);
    // Without an owner the sign-in only leads to the setup.
    await makePerson(gateway(), { instanceRole: 'owner' });
    const person = await makePerson(gateway(), { displayName: 'Ada', roles: { [workspaceId]: 'member' } });
    const { page, go } = await open({ person, host: 'localhost' });
    await addAuthenticator(page);
    await go('/account?tab=security');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await codes.first().waitFor();
    await expectAccessible(page);
    const first = await keepCodes(page);
    const passkeys = page.getByRole('list', { name: 'Passkeys' });
    await passkeys.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Work laptop');
    await page.keyboard.press('Enter');
    await passkeys.getByText('Work laptop').waitFor();

    await signOut(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('button', { name: 'Ada' }).waitFor();

    await letFactorAge(person.userId);
    await go('/account?tab=security');
    await page.getByRole('button', { name: 'Make new codes' }).click();
    await page.getByRole('dialog', { name: 'Make new recovery codes?' }).getByRole('button', { name: 'Make new codes' }).click();
    const stepUp = page.getByRole('dialog', { name: 'Show your second factor again' });
    await stepUp.getByRole('button', { name: 'Use a recovery code' }).click();
    await stepUp.getByRole('textbox', { name: 'Recovery code' }).fill('no such code');
    await stepUp.getByRole('button', { name: 'Confirm' }).click();
    await stepUp.getByRole('alert').getByText('SIGN_IN_FAILED').waitFor();
    await expectAccessible(page);
    await stepUp.getByRole('button', { name: 'Use a passkey' }).click();
    await stepUp.getByText('Your device asks for your finger').waitFor();
    await stepUp.getByRole('button', { name: 'Use a passkey' }).click();
    await codes.first().waitFor();
    const renewed = await keepCodes(page);
    expect(renewed.filter((code) => first.includes(code))).toEqual([]);

    await passkeys.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog', { name: 'Remove “Work laptop”?' }).getByRole('button', { name: 'Remove the passkey' }).click();
    await passkeys.waitFor({ state: 'detached' });
    await signOut(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').getByText('SIGN_IN_FAILED').waitFor();
  });

  it('are a provider that an admin adds, tries and disables, with the role of the group', async () => {
    const { workspaceId } = await makeTenant(gateway, []);
    const slug = `company-${randomUUID().slice(0, 8)}`;
    const name = `Company ${slug}`;
    await using provider = await startOidcProvider({ origin: gateway().url, slug });
    provider.people.set('ada', { name: 'Ada Lovelace', groups: ['staff'] });
    const admin = await makePerson(gateway(), { displayName: 'Root', instanceRole: 'owner', roles: { [workspaceId]: 'owner' } });
    const { page, go } = await open({ person: admin });
    await go('/people?tab=providers', workspaceId);
    await page.getByRole('button', { name: 'Add a provider' }).first().click();
    const form = page.getByRole('dialog', { name: 'Add an OpenID Connect provider' });
    await form.getByLabel('Name', { exact: true }).fill(name);
    await form.getByLabel('Short name').fill(slug);
    await form.getByLabel('Issuer').fill('somewhere');
    await form.getByLabel('Client id').fill(provider.clientId);
    await form.getByLabel('Client secret', { exact: true }).fill(provider.clientSecret);
    await form.getByRole('button', { name: 'Add the provider' }).click();
    await form.getByText('Enter an address that begins with https://.').waitFor();
    await form.getByLabel('Issuer').fill(provider.issuer);
    await form.getByRole('button', { name: 'Add the provider' }).click();

    const card = page.getByRole('region', { name });
    const test = card.getByRole('button', { name: 'Test' });
    await test.click();
    await card.getByRole('status').getByText('The provider answers, with 1 key').waitFor();
    provider.goAway(true);
    await test.click();
    await card.getByRole('status').getByText('The provider cannot be used:').waitFor();
    await expectAccessible(page);
    provider.goAway(false);

    // What was given before stays, the secret too.
    await choose(page, name, 'Change');
    const change = page.getByRole('dialog', { name: `Change ${name}` });
    expect(await change.getByLabel('Client secret', { exact: true }).inputValue()).toBe('');
    await change.getByLabel('Scopes').fill('openid profile groups');
    await change.getByLabel('Claim with the groups').fill('groups');
    await change.getByRole('button', { name: 'Add a group' }).click();
    await change.getByRole('textbox', { name: 'Group', exact: true }).fill('staff');
    await change.getByRole('combobox', { name: 'Where' }).selectOption(workspaceId);
    await change.getByRole('combobox', { name: 'Role' }).selectOption('Viewer');
    await change.getByRole('checkbox', { name: 'People without an account may come' }).check();
    await expectAccessible(page);
    await change.getByRole('button', { name: 'Save' }).click();
    await card.getByText('1 group').waitFor();

    const guest = await open({ visits: [provider.issuer] });
    await guest.go(`/sign-in?return_to=${encodeURIComponent('/account?tab=security')}`);
    await guest.page.getByRole('link', { name: `Sign in with ${name}` }).click();
    await guest.page.waitForURL('**/console/account?tab=security');
    await guest.page.getByRole('list', { name: 'Linked accounts' }).getByText(name).waitFor();
    await guest.page.getByRole('tab', { name: 'Profile' }).click();
    await guest.page.getByRole('list', { name: 'Workspaces' }).getByText('Viewer').waitFor();
    await expectToBecome(() => guest.page.getByRole('textbox', { name: 'Name' }).inputValue(), 'Ada Lovelace');

    // Another browser has the sign-in open while the provider is disabled.
    const late = await open();
    await late.go('/sign-in');
    const link = late.page.getByRole('link', { name: `Sign in with ${name}` });
    await link.waitFor();
    await choose(page, name, 'Disable');
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await card.getByText('Disabled').waitFor();
    await link.click();
    await late.page.waitForURL('**/console/sign-in?error=*');
    const refusal = late.page.getByRole('alert');
    await refusal.getByText('The sign-in at the provider did not come about').waitFor();
    await refusal.getByRole('link', { name: 'not_found' }).waitFor();
    await expectAccessible(late.page);
    expect(await link.count()).toBe(0);
  });

  /** As if the second factor had been shown eleven minutes ago. */
  async function letFactorAge(userId: string): Promise<void> {
    const then = `now() - interval '11 minutes'`;
    await query(gateway(), `UPDATE edge.sessions SET created_at = ${then}, factor_shown_at = ${then} WHERE user_id = $1`, [userId]);
    // The edge reads a session again when its person has changed.
    await new Operator(gateway).call('PATCH', `/users/${userId}`, { display_name: 'Ada' });
  }
});

/** Reads the recovery codes that are shown, and says that they are kept. */
async function keepCodes(page: Page): Promise<string[]> {
  const codes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts();
  expect(codes).toHaveLength(10);
  await page.getByRole('checkbox', { name: 'I have kept them' }).check();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('10 left').waitFor();
  return codes;
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Ada' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sign in to Parley' }).waitFor();
}

/** Chooses what to do with a provider. */
async function choose(page: Page, name: string, command: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: command, exact: true }).click();
}
