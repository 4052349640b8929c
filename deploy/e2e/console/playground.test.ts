import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type JSHandle, type Locator, type Page } from 'playwright-core';
import { expectAccessible, inConsole } from '../harness/console.ts';
import { oneSharedGateway } from '../harness/one-gateway.ts';
import { makePerson } from '../harness/person.ts';
import { Sandbox } from '../harness/sandbox.ts';
import { makeTenant, onlyAccount } from '../harness/tenant.ts';

describe('the playground', () => {
  const gateway = oneSharedGateway('single');
  const open = inConsole(gateway);
  const sandbox = new Sandbox(gateway);
  const enter = async () => {
    const tenant = await makeTenant(gateway);
    const { workspaceId } = tenant;
    const person = await makePerson(gateway(), { displayName: 'Ada', roles: { [workspaceId]: 'member' } });
    const { page, go } = await open({ person });
    await go('/playground', workspaceId);
    return { page, workspaceId, person, account: onlyAccount(tenant) };
  };
  const say = async (page: Page, text: string) => {
    await page.getByRole('textbox', { name: 'Message' }).fill(text);
    await page.keyboard.press('Enter');
  };
  const answers = (page: Page): Locator => page.getByRole('article', { name: 'Assistant' });
  const questions = (page: Page): Locator => page.getByRole('article', { name: 'You' });

  it('streams an answer, stops it, and asks again; the focus stays where one writes', async () => {
    const { page } = await enter();
    await sandbox.paced(60, async () => {
      await say(page, 'count to 300');
      await answers(page).getByText('4 5 6').waitFor();
      await page.getByRole('button', { name: 'Stop' }).waitFor();
      await page.locator('textarea:focus').waitFor();
      await page.keyboard.press('Escape');
      await page.getByText('The answer was stopped here.').waitFor();
    });
    expect(await answers(page).innerText()).not.toContain('299 300');
    await page.getByRole('button', { name: 'Ask again' }).click();
    await answers(page).getByText('299 300').waitFor();
    expect(await questions(page).count()).toBe(1);
    await expectAccessible(page);
  });

  it('goes on with an answer after a reload in its middle, and asks nothing twice', async () => {
    const { page, workspaceId } = await enter();
    const read = async <T>(path: string) => {
      const answer = await page.context().request.get(`${gateway().url}/me/v1/${path}?workspace_id=${workspaceId}`);
      return (await answer.json()) as T;
    };
    const messages = () => {
      const id = new URL(page.url()).searchParams.get('conversation');
      return read<{ role: string; status: string; content: string }[]>(`conversations/${id}/messages`);
    };
    await sandbox.paced(60, async () => {
      await say(page, 'count to 250');
      await answers(page).getByText('4 5 6').waitFor();
      await page.waitForURL('**/playground?conversation=*');
      await page.reload();
      await page.getByRole('button', { name: 'Stop' }).waitFor();
      // What was said before is there, and the turn is the first one still.
      await answers(page).getByText('1 2 3 4 5 6').waitFor();
      expect((await messages()).map(({ role, status }) => `${role} ${status}`)).toEqual(['user completed', 'assistant streaming']);
    });
    await answers(page).getByText('249 250').waitFor();
    expect(await questions(page).count()).toBe(1);
    await waitFor(async () => (await messages()).every(({ status }) => status === 'completed'));
    expect((await messages()).map(({ role }) => role)).toEqual(['user', 'assistant']);
    const counted = await waitFor(async () => {
      const usage = await read<{ total_requests: number; successful: number }>('usage');
      return usage.successful > 0 && usage;
    });
    expect(counted).toMatchObject({ total_requests: 1, successful: 1 });
  });

  it('takes files by button, drop and paste, and shows those that are made in place', async () => {
    const { page } = await enter();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Attach files' }).click();
    await (await chooser).setFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('The code word is heliotrope.') });
    const box = page.getByRole('textbox', { name: 'Message' });
    await box.dispatchEvent('drop', { dataTransfer: await fileTransfer(page, 'dropped.txt') });
    await paste(box, await fileTransfer(page, 'pasted.txt'));
    const files = page.getByRole('list', { name: 'Files of the message' });
    await files.getByText('pasted.txt').waitFor();
    await waitFor(async () => (await files.getByText('uploading …').count()) === 0);
    await say(page, 'what is the code word in notes.txt?');
    await answers(page).getByText('heliotrope').waitFor();
    for (const name of ['notes.txt', 'dropped.txt', 'pasted.txt']) await questions(page).getByText(name, { exact: true }).waitFor();

    await say(page, 'draw a red circle and make a CSV of the planets');
    const image = page.getByRole('img', { name: 'red-circle.png' });
    await image.waitFor();
    await waitFor(() => image.evaluate((element: unknown) => (element as { naturalWidth: number }).naturalWidth === 256));
    const saving = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Save planets.csv' }).click();
    expect((await saving).suggestedFilename()).toBe('planets.csv');
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByText('response.completed').waitFor();
    await page.getByRole('tab', { name: 'Raw exchange' }).click();
    await page.getByText('"draw a red circle and make a CSV of the planets"').waitFor();
    await page.getByRole('tab', { name: 'As code' }).click();
    await page.getByRole('tab', { name: 'AI SDK' }).click();
    await page.getByText('createOpenAICompatible({').waitFor();
    expect(await page.locator('body').innerText()).not.toContain('gmk_live_');
    await expectAccessible(page);
  });

  it('shows a broken upstream as it is, and tries again in place', async () => {
    const { page, account } = await enter();
    await account.order({ fault: 'error_mid_stream', after_chunks: 3 });
    await say(page, 'count to 20');
    const alert = page.getByRole('alert');
    await alert.getByRole('link', { name: 'PROVIDER_UNAVAILABLE' }).waitFor();
    await answers(page).getByText('1 2 3').waitFor();
    await alert.getByRole('button', { name: 'Try again' }).click();
    await answers(page).getByText('19 20').waitFor();
    expect(await questions(page).count()).toBe(1);

    await account.order({ fault: 'server_error', count: -1 });
    await say(page, 'hello');
    await page.getByRole('alert').waitFor();
    await expectAccessible(page);
    await account.clearFaults();
    await page.getByRole('button', { name: 'Try again' }).click();
    await answers(page).getByText('Say "help" to see what I understand.').waitFor();
  });

  it('shows a message of a megabyte', async () => {
    const { page } = await enter();
    const text = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      transfer.setData('text/plain', 'some words\\n'.repeat(92000) + 'the end');
      return transfer;
    })()`);
    await paste(page.getByRole('textbox', { name: 'Message' }), text);
    await page.getByRole('list', { name: 'Long texts of the message' }).waitFor();
    await say(page, 'This is long:');
    await answers(page).getByText('message 1 of this conversation').waitFor();
    await page.reload();
    await answers(page).getByText('message 1 of this conversation').waitFor();
    await waitFor(async () => ((await questions(page).textContent())?.length ?? 0) > 1_000_000);
    await say(page, 'say it still works');
    await answers(page).getByText('it still works').waitFor();
  });
});

/** Pastes into a box. The types of the page are not those of a test. */
function paste(box: Locator, transfer: JSHandle) {
  return box.evaluate((element: unknown, clipboardData: unknown) => {
    const { ClipboardEvent } = globalThis as unknown as { ClipboardEvent: new (type: string, init: object) => object };
    const target = element as { dispatchEvent: (event: object) => void };
    target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, transfer);
}

/** What a drop or a paste of a text file carries. */
function fileTransfer(page: Page, name: string) {
  return page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['some text'], ${JSON.stringify(name)}, { type: 'text/plain' }));
    return transfer;
  })()`);
}
