import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { createRun, makeRunner, runEnded } from '../harness/actions.ts';
import { call } from '../harness/http.ts';
import { Operator } from '../harness/operator.ts';
import { type Parley, startParley } from '../harness/parley.ts';
import { killPart, partOf } from '../harness/parts.ts';
import { Sandbox } from '../harness/sandbox.ts';
import { onlyAccount } from '../harness/tenant.ts';

const SLUG = 'count';

/** One chat turn in a conversation, and what it answered. */
const DOCUMENT = {
  arazzo: '1.0.1',
  info: { title: 'Count', version: '1.0.0' },
  'x-parley-slug': SLUG,
  sourceDescriptions: [{ name: 'parley', url: 'parley:functions', type: 'openapi' }],
  workflows: [
    {
      workflowId: SLUG,
      inputs: { type: 'object', required: ['conversation'], properties: { conversation: { type: 'string' } } },
      steps: [
        {
          stepId: 'count',
          operationId: 'chat',
          requestBody: {
            payload: { conversation_id: '$inputs.conversation', messages: [{ role: 'user', content: 'count to 400' }] },
          },
          outputs: { text: '$response.body#/choices/0/message/content', reason: '$response.body#/choices/0/finish_reason' },
        },
      ],
      outputs: { text: '$steps.count.outputs.text', reason: '$steps.count.outputs.reason' },
    },
  ],
};

describe('kill -9 of actions in the middle of a chat turn', () => {
  let gateway: Parley;
  beforeAll(async () => {
    gateway = await startParley({ topology: 'separate' });
    const { status } = await new Operator(() => gateway).call('POST', '/actions', { document: DOCUMENT, sources: {} });
    expect(status).toBe(200);
  });
  afterAll(() => gateway.dispose());

  it('has the turn asked for anew: the run ends with the whole answer, and the message was said once', async () => {
    const { tenant, me } = await makeRunner(() => gateway);
    const account = onlyAccount(tenant);
    const { json } = await call(gateway, 'POST', '/v1/conversations', { key: me.key, body: {} });
    const conversation = (json as { id: string }).id;
    const sandbox = new Sandbox(() => gateway);
    await sandbox.setPace(50);
    const run = await createRun(me, SLUG, { conversation });
    await waitFor(async () => (await account.report()).open_streams === 1);
    const killed = await killPart(gateway, 'actions');
    await waitFor(async () => (await account.report()).open_streams === 0);
    await sandbox.setPace(0);
    await partOf(gateway, 'actions', killed);
    const ended = await runEnded(me, run);
    expect(ended).toMatchObject({ status: 'succeeded', verdict: 'passed', output: { reason: 'stop' } });
    expect(ended.output?.['text']).toMatch(/^1 2 3 .* 400$/);
    const messages = await call(gateway, 'GET', `/v1/conversations/${conversation}/messages`, { key: me.key });
    const said = (messages.json as { role: string }[]).filter(({ role }) => role === 'user');
    expect(said).toHaveLength(1);
  });
});
