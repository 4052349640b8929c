import { describe, expect, it } from '@jest/globals';
import { expectAccessible, inConsole } from '../harness/console.ts';
import { oneSharedGateway } from '../harness/one-gateway.ts';
import { makePerson } from '../harness/person.ts';
import { makeTenant } from '../harness/tenant.ts';

describe('the frame of the console', () => {
  const gateway = oneSharedGateway('single');
  const open = inConsole(gateway);
  const makeOwner = async () => {
    const { workspaceId } = await makeTenant(gateway);
    return { workspaceId, person: await makePerson(gateway(), { displayName: 'Ada', roles: { [workspaceId]: 'owner' } }) };
  };

  it('leads everywhere by keyboard, in both languages, and has no barrier', async () => {
    const { workspaceId, person } = await makeOwner();
    const { page, go } = await open({ person });
    await go('/keys', workspaceId);
    await expectAccessible(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to' }).waitFor();
    await page.keyboard.type('usag');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/console/w/${workspaceId}/usage`);
    await page.getByRole('button', { name: 'Ada' }).click();
    await page.getByRole('menuitem', { name: '简体中文' }).click();
    await page.getByRole('link', { name: '密钥' }).waitFor();
    await page.locator('html[lang=zh-Hans]').waitFor({ state: 'attached' });
  });

  it('sends who is signed out to the sign-in, and back to where they were', async () => {
    const { workspaceId, person } = await makeOwner();
    const { page } = await open();
    await page.goto(`${gateway().url}/console/w/${workspaceId}/usage`);
    await page.waitForURL('**/console/sign-in?*');
    const at = new URL(page.url());
    expect(at.searchParams.get('return_to')).toBe(`/w/${workspaceId}/usage`);
    const other = await open({ person });
    await other.go('/usage', workspaceId);
    await person.call('POST', '/me/v1/sign-out');
    await other.page.waitForURL('**/console/sign-in?*');
  });

  it('is a menu on a phone', async () => {
    const { workspaceId, person } = await makeOwner();
    const { page, go } = await open({ person, size: { width: 375, height: 700 } });
    await go('/keys', workspaceId);
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
    expect((await page.locator('html').boundingBox())?.width).toBe(375);
  });
});
