import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRun, makeRunner, publishExample, runEnded } from '../harness/actions.ts';
import { expectAccessible, inConsole } from '../harness/console.ts';
import { publishKeylessTicket } from '../harness/keyless-ticket.ts';
import { oneSharedGateway } from '../harness/one-gateway.ts';
import { Operator } from '../harness/operator.ts';
import { makePerson } from '../harness/person.ts';
import { makeTenant, onlyAccount } from '../harness/tenant.ts';

const SLUG = 'written-in-the-console';
/** How long the API thinks about a ticket: a page is quick enough to be seen waiting. */
const THINKING_MS = 3_000;

/** A document of one step, which is valid by default. */
function documentFile(step: object = {}) {
  const render = { stepId: 'render', operationId: 'render', requestBody: { payload: { text: '$inputs.text' } }, ...step };
  const document = {
    ...{ arazzo: '1.0.1', info: { title: 'Write it down', version: '1.0.0' }, 'x-parley-slug': SLUG },
    sourceDescriptions: [{ name: 'parley', url: 'parley:functions', type: 'openapi' }],
    workflows: [{ workflowId: SLUG, inputs: { type: 'object', properties: { text: { type: 'string' } } }, steps: [render] }],
  };
  return { name: 'action.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(document, undefined, 2)) };
}

describe('actions in the console', () => {
  const gateway = oneSharedGateway('single');
  const open = inConsole(gateway);
  let keyless = '';

  const makeMember = async (...providers: Parameters<typeof makeRunner>[1] & string[]) => {
    const { tenant, me } = await makeRunner(gateway, providers);
    const person = await makePerson(gateway(), { roles: { [tenant.workspaceId]: 'member' } });
    return { tenant, me, person, workspaceId: tenant.workspaceId };
  };
  beforeAll(async () => {
    for (const name of ['summarise-document', 'speak-text', 'open-ticket'] as const) await publishExample(gateway(), name);
    keyless = await publishKeylessTicket(gateway());
  });
  // The catalog is everybody's: other tests find in it what they expect.
  afterAll(async () => {
    for (const slug of [keyless, SLUG]) await new Operator(gateway).call('PATCH', `/actions/${slug}`, { enabled: false });
  });

  it('run with live steps to a verdict, with what they wrote', async () => {
    const { tenant, person, workspaceId } = await makeMember('http-api');
    await onlyAccount(tenant).order({ fault: 'slow_first_byte', on: 'ticket_create', delay_ms: THINKING_MS });
    const { page, go } = await open({ person });
    await go('/actions', workspaceId);
    await expectAccessible(page);
    const named = page.getByRole('row').filter({ has: page.getByText('open-ticket', { exact: true }) });
    await named.getByRole('link').click();
    await page.getByRole('heading', { name: 'What it takes' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('tab', { name: 'Run', exact: true }).click();
    const run = page.getByRole('button', { name: 'Run', exact: true });
    await run.click();
    await page.getByText('Is required.').waitFor();
    await page.getByRole('textbox', { name: 'title' }).fill('The door is stuck');
    await run.click();
    const steps = page.getByRole('log', { name: 'Steps' });
    await steps.getByText('create is running').waitFor();
    await steps.getByText('create succeeded').waitFor();
    await steps.getByText('check succeeded').waitFor();
    await page.getByRole('region', { name: 'Verdict' }).getByText('It passed').waitFor();
    await page.getByRole('region', { name: 'Writes in other systems' }).getByText('done').waitFor();
    await expectAccessible(page);
    expect((await onlyAccount(tenant).report()).tickets).toMatchObject([{ title: 'The door is stuck' }]);
    await page.getByRole('tab', { name: 'Runs' }).click();
    await page.getByRole('table', { name: 'Runs' }).getByText('succeeded').waitFor();
  });

  it('take a file, and play what they speak', async () => {
    const { person, workspaceId } = await makeMember('sandbox');
    const { page, go } = await open({ person });
    await go('/actions/summarise-document?tab=run', workspaceId);
    const report = {
      name: 'report.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('# The lighthouse\n\nIt was painted green in 1987.\n'),
    };
    await page.getByRole('form', { name: 'Run it' }).getByLabel('document').setInputFiles(report);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('It passed').waitFor();
    await page.getByRole('region', { name: 'Output' }).getByText('summary').first().waitFor();
    await go('/actions/speak-text?tab=run', workspaceId);
    await page.getByRole('textbox', { name: 'text' }).fill('The door is open.');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('It passed').waitFor();
    const player = page.getByRole('region', { name: 'Output' }).locator('audio');
    expect(await player.evaluate(async (audio: { src: string }) => (await fetch(audio.src)).headers.get('content-type'))).toBe('audio/wav');
  });

  it('wait for a person where it is not certain what was written, and say what to do', async () => {
    const { tenant, me, person, workspaceId } = await makeMember('http-api');
    const account = onlyAccount(tenant);
    await account.order({ fault: 'lost_answer', on: 'ticket_create' });
    const done = await runEnded(me, await createRun(me, keyless, { title: 'Lost' }, { connection_id: account.connectionId }));
    expect(done.status).toBe('needs_review');
    const { page, go } = await open({ person });
    await go('/actions?tab=review', workspaceId);
    await page.getByText('1 of them may have happened').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: done.id }).click();
    const verdict = page.getByRole('region', { name: 'Verdict' });
    await verdict.getByText('Look in the other system whether the writes below that may have happened are there').waitFor();
    await page.getByRole('region', { name: 'Writes in other systems' }).getByText('may have happened').waitFor();
    await expectAccessible(page);
    await verdict.getByRole('link', { name: 'Run it again' }).click();
    await page.getByRole('textbox', { name: 'title' }).waitFor();
  });

  it('are written in an editor that shows what the gateway finds, then published and tried', async () => {
    const { workspaceId } = await makeMember();
    const person = await makePerson(gateway(), { instanceRole: 'admin', roles: { [workspaceId]: 'owner' } });
    const { page, go } = await open({ person });
    await go('/new-action', workspaceId);
    const editor = page.getByRole('textbox', { name: 'Document of the action' });
    await page.getByText('The document can be published.').waitFor();
    await page.locator('input[type=file]').setInputFiles(documentFile({ operationId: 'sing' }));
    const finding = page.getByRole('button', { name: /\/workflows\/0\/steps\/0/ });
    await finding.waitFor();
    await page.locator('.cm-lint-marker-error').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Publish', disabled: true }).waitFor();
    await finding.click();
    await editor.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.locator('.cm-editor:focus-within').count()).toBe(0);
    await page.locator('input[type=file]').setInputFiles(documentFile());
    await page.getByText('The document can be published.').waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('heading', { name: `Trial run of ${SLUG}, version 1` }).waitFor();
    await page.getByRole('textbox', { name: 'text' }).fill('heliotrope');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('It passed').waitFor();
    await go(`/actions/${SLUG}?tab=versions`, workspaceId);
    await page.getByText('Version 1 published').waitFor();
    await expectAccessible(page);
    const versions = page.getByRole('list', { name: 'Versions' }).getByRole('listitem');
    await versions.getByRole('link', { name: 'Look at and edit version 1' }).click();
    await page.getByText('This is version 1 as it was published.').waitFor();
    await page.getByRole('button', { name: 'Publish', disabled: true }).waitFor();
    await page.locator('input[type=file]').setInputFiles(documentFile({ description: 'It is the second.' }));
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('heading', { name: `Trial run of ${SLUG}, version 2` }).waitFor();
    await page.getByRole('tab', { name: 'Versions' }).click();
    await versions.filter({ hasText: /Version 2.*current/ }).waitFor();
    // An older version that is published again as it is, is the current one again.
    await versions.getByRole('link', { name: 'Look at and edit version 1' }).click();
    await page.getByText('The document can be published.').waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('heading', { name: `Trial run of ${SLUG}, version 1` }).waitFor();
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByText('JSON Schema of the input').click();
    await page.getByLabel('JSON Schema of the input').getByText('"properties"').waitFor();
    await expectAccessible(page);
  });

  it('explain that a workspace is not in the beta, until an owner adds it', async () => {
    const { workspaceId } = await makeTenant(gateway);
    const member = await makePerson(gateway(), { roles: { [workspaceId]: 'member' } });
    const admin = await makePerson(gateway(), { instanceRole: 'admin', roles: { [workspaceId]: 'owner' } });
    const closed = 'This workspace does not take part in the beta of actions';
    const theirs = await open({ person: member });
    await theirs.go('/actions/speak-text?tab=run', workspaceId);
    const note = theirs.page.getByRole('region', { name: closed });
    await note.getByText('An owner or admin of the gateway can let it take part').waitFor();
    expect(await theirs.page.getByRole('button', { name: 'Run', exact: true }).count()).toBe(0);
    await expectAccessible(theirs.page);
    const { page, go } = await open({ person: admin });
    await go('/actions?tab=cohort', workspaceId);
    await page.getByRole('table', { name: 'Beta' }).getByText('not yet').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Let this workspace take part' }).click();
    await page.getByRole('region', { name: closed }).waitFor({ state: 'detached' });
    await theirs.go('/actions/speak-text?tab=run', workspaceId);
    await theirs.page.getByRole('button', { name: 'Run', exact: true }).waitFor();
  });
});
