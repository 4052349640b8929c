import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { SANDBOX_ACCOUNTS } from '@parley/protos/bootstrap';
import { endedTurns, query } from '../harness/database.ts';
import { continuing, openaiClient, saying } from '../harness/openai.ts';
import { type Parley, startParley } from '../harness/parley.ts';
import { Sandbox } from '../harness/sandbox.ts';

const [{ account: id, password, label }] = SANDBOX_ACCOUNTS;
/** Enough for the client to bridge a start of the gateway with its waits of up to 8 s. */
const MANY = 12;

describe.each(['single', 'separate'] as const)('a request under way when the gateway is killed (%s)', (topology) => {
  let gateway: Parley;
  let first: Parley;
  beforeAll(async () => {
    gateway = first = await startParley({ topology });
  });
  afterAll(() => first.dispose());

  it('is answered by the gateway that comes back, and its message was posted once', async () => {
    const sandbox = new Sandbox(() => gateway);
    const { client, sent } = openaiClient(gateway, { maxRetries: MANY });
    const onAccount = { headers: { 'X-Service-Upstream-Account': label } };
    const { response } = await client.chat.completions.create(saying('remember the blue door'), onAccount).withResponse();
    const conversation = response.headers.get('x-service-conversation-id') ?? '';

    await sandbox.setPace(20);
    const asked = client.chat.completions.create(saying('count to 2000'), continuing(conversation));
    await waitFor(async () => (await sandbox.report(id)).open_streams === 1);
    await gateway.stop('SIGKILL');
    gateway = await gateway.restart({ env: { PARLEY_PORT: new URL(gateway.url).port } });

    expect((await asked).choices[0]?.message.content).toMatch(/^1 2 3 .* 2000$/);
    expect(sent()).toBeGreaterThan(2);
    const statuses = (await endedTurns(gateway, conversation)).map(({ status }) => status);
    expect(statuses).toEqual(['completed', 'interrupted', 'completed']);
    const said = await query<{ content: string }>(gateway, SAID, [conversation]);
    expect(said.map(({ content }) => content)).toEqual(['remember the blue door', 'count to 2000']);
    const [upstream] = (await sandbox.report(id)).conversations;
    const nodes = await sandbox.messages({ id, password, apiKey: '' }, upstream?.id ?? '');
    expect(nodes.map(({ role, finish_reason: reason }) => [role, reason ?? ''])).toEqual([
      ['user', ''],
      ['assistant', 'stop'],
      ['user', ''],
      // Its stream broke, or routing outlived the edge by the moment it takes to stop it.
      ['assistant', expect.stringMatching(/^(?:interrupted|stopped)$/)],
      ['assistant', 'stop'],
    ]);
    const next = await client.chat.completions.create(saying('what was my last message?'), continuing(conversation));
    expect(next.choices[0]?.message.content).toContain('count to 2000');
  });
});

const SAID = `SELECT content FROM conversation.messages WHERE conversation_id = $1 AND role = 'user' ORDER BY sequence, position`;
