import { describe, expect, it } from '@jest/globals';
import { type Page } from 'playwright-core';
import { codeOf } from '../../../edge/test/second-factors.ts';
import { expectAccessible, expectToBecome, inConsole, tabTo } from '../harness/console.ts';
import { expectRefusal } from '../harness/expectations.ts';
import { oneGateway } from '../harness/one-gateway.ts';
import { makePerson } from '../harness/person.ts';
import { makeTenant } from '../harness/tenant.ts';
import { Visitor } from '../harness/visitor.ts';

const ADA = { email: 'ada@example.com', password: 'four quiet harbour lamps' };
const NEXT = 'five loud mountain trains';
const SLOW_MS = 240_000;

describe('the way into the console', () => {
  const gateway = oneGateway({});
  const open = inConsole(gateway);
  const setupLink = () => /http\S+\/console\/setup#\S+/.exec(gateway().output())?.[0] ?? '';
  const signIn = async (page: Page, { email, password }: typeof ADA) => {
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };

  it(
    'begins with the setup link, goes on with a password and an app, and ends from another browser',
    async () => {
      const { page } = await open();
      await page.goto(setupLink());
      await page.getByRole('heading', { level: 1, name: 'Set up Parley' }).waitFor();
      await page.waitForURL(`${gateway().url}/console/setup`);
      await expectAccessible(page);
      await page.getByRole('combobox', { name: 'Theme' }).selectOption('Dark');
      await page.locator('html[data-theme=dark]').waitFor();
      await page.getByRole('combobox', { name: 'Theme' }).selectOption('As the system');
      await page.locator('html:not([data-theme])').waitFor();
      await page.getByRole('combobox', { name: 'Language' }).selectOption('简体中文');
      await page.locator('html[lang=zh-Hans]').waitFor();
      await page.getByRole('combobox', { name: '语言' }).selectOption('English');
      await page.getByRole('textbox', { name: 'Name' }).fill('Ada');
      await page.getByRole('textbox', { name: 'Email' }).fill(ADA.email);
      await page.getByRole('textbox', { name: 'Password' }).fill('short');
      await page.getByRole('button', { name: 'Create the account' }).click();
      await page.getByText('It needs at least 12 characters.').waitFor();
      await page.getByRole('textbox', { name: 'Password' }).fill('Password1234');
      await page.getByRole('button', { name: 'Create the account' }).click();
      await page.getByText('is among the commonest', { exact: false }).waitFor();
      await page.getByRole('textbox', { name: 'Password' }).fill(ADA.password);
      await page.getByRole('button', { name: 'Create the account' }).click();
      await page.waitForURL('**/console/w/*');
      await page.getByRole('button', { name: 'Ada' }).waitFor();

      // The app, whose first code turns it on and brings the recovery codes.
      await page.goto(`${gateway().url}/console/account?tab=security`);
      await page.getByRole('button', { name: 'Set up the app' }).click();
      await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
      await expectAccessible(page);
      const secret = await page.getByRole('dialog').getByRole('code').first().innerText();
      await page.getByRole('textbox', { name: 'Code of your authenticator app' }).fill(codeOf(secret, -30));
      await page.getByRole('button', { name: 'Turn on' }).click();
      const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
      await codes.first().waitFor();
      await expectToBecome(() => codes.count(), 10);
      const [recovery = ''] = await codes.allInnerTexts();
      await page.getByRole('checkbox', { name: 'I have kept them' }).check();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByText('10 left').waitFor();

      // Another browser: a wrong password, the right one, then the app.
      const other = await open();
      await other.page.goto(`${gateway().url}/console/account?tab=sessions`);
      await other.page.waitForURL('**/console/sign-in?*');
      await other.page.getByRole('heading', { level: 1, name: 'Sign in to Parley' }).waitFor();
      await expectAccessible(other.page);
      await signIn(other.page, { ...ADA, password: 'not this one at all' });
      await other.page.getByRole('alert').getByText('SIGN_IN_FAILED').waitFor();
      await signIn(other.page, ADA);
      await other.page.getByRole('heading', { level: 1, name: 'Second factor' }).waitFor();
      await expectAccessible(other.page);
      await other.page.getByRole('textbox', { name: 'Code of your authenticator app' }).fill(codeOf(secret));
      await other.page.getByRole('button', { name: 'Confirm' }).click();
      await other.page.waitForURL('**/console/account?tab=sessions');

      // The first browser ends the session of the other, which leaves by itself.
      await page.getByRole('tab', { name: 'Sessions' }).click();
      await expectAccessible(page);
      await page.getByRole('button', { name: /^End the session: / }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'End the session' }).click();
      await other.page.waitForURL('**/console/sign-in?*reason=ended*');
      await other.page.getByRole('status').getByText('Your session has ended', { exact: false }).waitFor();

      // A recovery code opens it once more.
      await signIn(other.page, ADA);
      await other.page.getByRole('button', { name: 'Use a recovery code' }).click();
      await other.page.getByRole('textbox', { name: 'Recovery code' }).fill(recovery);
      await other.page.getByRole('button', { name: 'Confirm' }).click();
      await other.page.getByRole('tab', { name: 'Sessions', selected: true }).waitFor();
    },
    SLOW_MS,
  );

  it(
    'is a link of an admin to a new password, with which keys alone lead to the first answer; and the password is changed',
    async () => {
      const { workspaceId } = await makeTenant(gateway);
      const admin = await makePerson(gateway(), { displayName: 'Root', instanceRole: 'owner', roles: { [workspaceId]: 'owner' } });
      const grace = await makePerson(gateway(), { displayName: 'Grace', roles: { [workspaceId]: 'member' } });
      const { page: office, go } = await open({ person: admin });
      await go('/people?tab=users', workspaceId);
      await office.getByRole('button', { name: 'Actions for Grace' }).click();
      await office.getByRole('menuitem', { name: 'Link for a new password' }).click();
      await office.getByRole('dialog').getByRole('button', { name: 'Make the link' }).click();
      const link = await office.getByLabel('Link for a new password', { exact: true }).innerText();
      await expectAccessible(office);

      const { page } = await open();
      const keys = page.keyboard;
      await page.goto(link.trim());
      await page.getByRole('heading', { level: 1, name: 'Choose a new password' }).waitFor();
      await page.waitForURL(`${gateway().url}/console/reset`);
      await expectAccessible(page);
      await tabTo(page, page.getByRole('textbox', { name: 'New password' }));
      await keys.type('too short');
      await keys.press('Enter');
      await page.getByText('It needs at least 12 characters.').waitFor();
      await keys.press('ControlOrMeta+a');
      await keys.type(ADA.password);
      await keys.press('Enter');
      await page.getByRole('status').getByText('Your new password is set.', { exact: false }).waitFor();
      await tabTo(page, page.getByRole('textbox', { name: 'Email' }));
      await keys.type(grace.email);
      await keys.press('Tab');
      await keys.type(ADA.password);
      await keys.press('Enter');
      await page.waitForURL(`**/console/w/${workspaceId}`);
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      await keys.press('Control+k');
      await page.getByRole('combobox', { name: 'Go to' }).waitFor();
      await keys.type('playg');
      await keys.press('Enter');
      await tabTo(page, page.getByRole('textbox', { name: 'Message' }));
      await keys.type('say it was all by keys');
      await keys.press('Enter');
      await page.getByRole('article', { name: 'Assistant' }).getByText('it was all by keys').waitFor();
      await tabTo(page, page.getByRole('button', { name: 'New conversation' }));
      await keys.press('Enter');
      await page.getByRole('article', { name: 'Assistant' }).waitFor({ state: 'detached' });

      // Her account, from the menu of it to another password, which ends her session elsewhere.
      const elsewhere = new Visitor(gateway());
      const old = { email: grace.email, password: ADA.password };
      expect((await elsewhere.call('POST', '/sign-in', old)).status).toBe(200);
      await tabTo(page, page.getByRole('button', { name: 'Grace' }));
      await keys.press('Enter');
      await page.getByRole('menuitem', { name: 'Your account' }).waitFor();
      await keys.press('Enter');
      await tabTo(page, page.getByRole('tab', { name: 'Profile' }));
      await keys.press('ArrowRight');
      const present = page.getByRole('textbox', { name: 'Present password' });
      await tabTo(page, present);
      await keys.type('not this one at all');
      await tabTo(page, page.getByRole('textbox', { name: 'New password' }));
      await keys.type(NEXT);
      await keys.press('Enter');
      await page.getByRole('alert').getByText('SIGN_IN_FAILED').waitFor();
      await present.fill(ADA.password);
      await keys.press('Enter');
      await page.getByText('The password is changed').waitFor({ state: 'attached' });
      await page.getByText('It was set').waitFor();
      await expectToBecome(() => present.inputValue(), '');
      expectRefusal(await elsewhere.call('GET', '/session'), { status: 401, code: 'SIGN_IN_REQUIRED' });
      expectRefusal(await elsewhere.call('POST', '/sign-in', old), { status: 401, code: 'SIGN_IN_FAILED' });
      expect((await elsewhere.call('POST', '/sign-in', { ...old, password: NEXT })).status).toBe(200);
    },
    SLOW_MS,
  );
});
