import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { z } from 'zod';
import { connectionOf } from './faults/upstream/health.ts';
import { ask, said, stream } from './harness/chat.ts';
import { endedTurns } from './harness/database.ts';
import { readUntil } from './harness/event-stream.ts';
import { expectRefusal } from './harness/expectations.ts';
import { call } from './harness/http.ts';
import { Operator } from './harness/operator.ts';
import { type Parley, startParley } from './harness/parley.ts';
import { type Replicas, startReplicas } from './harness/replicas.ts';
import { Sandbox } from './harness/sandbox.ts';
import { connectAccount, makeTenant, onlyAccount, type Tenant } from './harness/tenant.ts';

const ENV = { PARLEY_BUSY_MS: '5s' };
const conversationOf = (response: Response) => response.headers.get('x-service-conversation-id') ?? '';

describe('two replicas of edge, chat-routing and conversation', () => {
  let parley: Parley;
  let replicas: Replicas;
  const first = () => parley;
  const second = () => replicas.second;
  const sandbox = new Sandbox(first);
  beforeAll(async () => {
    parley = await startParley({ topology: 'separate', env: ENV });
    replicas = await startReplicas(parley, ENV);
  });
  afterAll(async () => {
    await replicas?.stop();
    await parley?.dispose();
  });

  const both = (n: number) => (n % 2 === 0 ? first() : second());
  const usageOf = async ({ apiKey }: Tenant) =>
    z
      .object({ total_requests: z.int(), successful: z.int(), errors: z.int(), rate_limited: z.int() })
      .parse((await call(first(), 'GET', '/v1/usage', { key: apiKey })).json);

  it('keep a conversation on its account, whichever edge it comes through', async () => {
    const tenant = await makeTenant(first);
    await connectAccount(first, tenant.workspaceId, 'sandbox');
    const { apiKey: key } = tenant;
    const { conversation } = said(await ask(first(), { key, say: 'remember the blue door' }));
    for (let n = 1; n <= 6; n++) said(await ask(both(n), { key, conversation, say: 'hello' }));
    expect(said(await ask(second(), { key, conversation, say: 'what do you remember?' })).conversation).toBe(conversation);
    expect(await endedTurns(first(), conversation)).toHaveLength(8);
    const accepted = await onlyOneOf(tenant);
    expect([0, 8]).toContain(accepted);
  });

  /** Turns of the first account of a tenant. */
  async function onlyOneOf({ accounts }: Tenant): Promise<number> {
    return (await accounts[0]?.report())?.turns_accepted ?? -1;
  }

  it('run one turn of a conversation at a time', async () => {
    const { apiKey: key } = await makeTenant(first);
    await sandbox.paced(20, async () => {
      const slow = await stream(first(), { key, say: 'count to 10000' });
      const conversation = conversationOf(slow);
      expectRefusal(await ask(second(), { key, conversation }), { status: 409, code: 'CONVERSATION_BUSY' });
      await slow.body?.cancel();
      await waitFor(async () => (await ask(second(), { key, conversation })).status === 200);
      const turns = await endedTurns(first(), conversation);
      expect(turns.map(({ status }) => status)).toEqual(['interrupted', 'completed']);
    });
  });

  it('share what is known of an account', async () => {
    const tenant = await makeTenant(first);
    const account = onlyAccount(tenant);
    const { apiKey: key } = tenant;
    const { conversation } = said(await ask(second(), { key }));
    await account.order({ fault: 'server_error', count: 5 });
    for (let failures = 0; failures < 5; failures++) expect((await ask(first(), { key })).status).toBe(502);
    await waitFor(async () => (await connectionOf(second(), tenant, account.label)).status === 'cooldown');
    expectRefusal(await ask(second(), { key }), { status: 503, code: 'NO_HEALTHY_SESSION' });
    expectRefusal(await ask(second(), { key, conversation }), { status: 503, code: 'CONVERSATION_UPSTREAM_UNAVAILABLE' });
  });

  it('refuse a key that was revoked at the other edge', async () => {
    const { apiKey: key, keyId } = await makeTenant(first);
    for (const edge of [first(), second(), replicas.spread]) expect((await ask(edge, { key })).status).toBe(200);
    await new Operator(first).revokeKey(keyId);
    for (const edge of [second(), replicas.spread]) {
      await waitFor(async () => (await ask(edge, { key })).status === 401);
    }
  });

  it('give a request with the same Idempotency-Key one turn, also at the same moment', async () => {
    const tenant = await makeTenant(first);
    const turn = { key: tenant.apiKey, say: 'say once', headers: { 'idempotency-key': 'once' } };
    const answers = await Promise.all([0, 1, 0, 1].map((n) => ask(both(n), turn)));
    const heard = answers.map((answer) => said(answer));
    expect(new Set(heard.map(({ conversation }) => conversation)).size).toBe(1);
    expect(heard.map(({ text }) => text)).toEqual(['once', 'once', 'once', 'once']);
    expect(await onlyOneOf(tenant)).toBe(1);
  });

  it('count every turn once', async () => {
    const tenant = await makeTenant(first);
    const edges = [first(), second(), replicas.spread];
    const turns = Array.from({ length: 30 }, (_, n) => ask(edges[n % 3] as Parley, { key: tenant.apiKey, say: `say ${n}` }));
    for (const answer of await Promise.all(turns)) said(answer);
    const usage = await waitFor(async () => [await usageOf(tenant)].find(({ total_requests }) => total_requests >= 30));
    expect(usage).toMatchObject({ total_requests: 30, successful: 30, errors: 0, rate_limited: 0 });
    expect(await onlyOneOf(tenant)).toBe(30);
  });

  it('lose no turn when a replica is stopped in good order under load', async () => {
    const tenant = await makeTenant(first);
    let [isGone, n] = [false, 0];
    const workers = Array.from({ length: 8 }, async () => {
      while (!isGone) said(await ask(n++ % 2 === 0 ? second() : replicas.spread, { key: tenant.apiKey, say: 'say on' }));
    });
    await waitFor(() => n > 50);
    replicas.conversation.signal('SIGTERM');
    await replicas.conversation.exited;
    await waitFor(() => n > 150);
    isGone = true;
    await Promise.all(workers);
  });

  // The last one: it leaves one replica less.
  it('close the turns of a replica that was killed, and only those, while the others serve', async () => {
    const { apiKey: key } = await makeTenant(first);
    await sandbox.paced(20, async () => {
      const [kept, lost] = [await stream(first(), { key, say: 'count to 10000' }), await stream(second(), { key, say: 'count to 10000' })];
      const begun = await Promise.all([kept, lost].map((response) => readUntil(response, (raw) => raw.includes('"content":" 2"'))));
      const ending = begun.map(({ reader }) => rest(reader));
      replicas.chatRouting.signal('SIGKILL');
      await replicas.chatRouting.exited;

      const heard = await ending[1];
      expect(heard).toContain('response.failed');
      expect(heard?.endsWith('data: [DONE]\n\n')).toBe(true);
      expectRefusal(await ask(second(), { key }), { status: 503, code: 'SERVICE_UNAVAILABLE' });
      for (let n = 0; n < 10; n++) said(await ask(replicas.spread, { key, say: 'say still here' }));

      const [turn] = await waitFor(async () => some(await endedTurns(first(), conversationOf(lost))), { everyMs: 200 });
      expect(turn).toMatchObject({ status: 'interrupted' });
      expect(await endedTurns(first(), conversationOf(kept))).toEqual([]);
      await begun[0]?.reader.cancel();
      const [own] = await waitFor(async () => some(await endedTurns(first(), conversationOf(kept))));
      expect(own).toMatchObject({ status: 'interrupted' });
      expect(said(await ask(first(), { key, conversation: conversationOf(lost), say: 'say we go on' })).text).toBe('we go on');
    });
  });
});

function some<T>(list: T[]): [T, ...T[]] | undefined {
  const [head, ...tail] = list;
  return head === undefined ? undefined : [head, ...tail];
}

/** What is left of a stream; what came until the reader was cancelled. */
async function rest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += decoder.decode(value, { stream: true });
  }
}
