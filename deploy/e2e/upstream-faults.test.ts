import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { waitFor } from '@parley/kit/testing/wait-for';
import { ask, said, stream } from './harness/chat.ts';
import { endedTurns, query } from './harness/database.ts';
import { readStream } from './harness/event-stream.ts';
import { expectRefusal, type Refusal } from './harness/expectations.ts';
import { type Answer, call } from './harness/http.ts';
import { Operator } from './harness/operator.ts';
import { type FaultOrder, Sandbox, type UpstreamChange } from './harness/sandbox.ts';
import { connectAccount, makeTenant, onlyAccount, type Provider, type Tenant } from './harness/tenant.ts';
import { inBothTopologies } from './harness/topologies.ts';

const PROVIDERS: Provider[] = ['sandbox', 'openai-compatible'];
const UNAVAILABLE: Refusal = { status: 503, code: 'PROVIDER_UNAVAILABLE' };
const BAD_ANSWER: Refusal = { status: 502, code: 'PROVIDER_UNAVAILABLE' };
const TIMEOUT: Refusal = { status: 504, code: 'PROVIDER_TIMEOUT' };
const REAUTH: Refusal = { status: 403, code: 'ACCOUNT_REAUTH_REQUIRED' };
const REJECTED: Refusal = { status: 400, code: 'INVALID_REQUEST' };

/** What the upstream's own words hold; none of it may reach a client. */
const UPSTREAM_WORDS = /went wrong|Bad Gateway|could not be finished|internal_error|too many requests/i;

/** A fault, and what comes of it over the sandbox's own protocol and over the OpenAI-style one. */
type Row<T> = [fault: FaultOrder['fault'], ofSandbox: T, ofOthers: T];

/** Before acceptance: the fault, and what a turn gets over each provider. */
const REFUSED: Row<Refusal>[] = [
  ['rate_limited', { status: 429, code: 'PROVIDER_RATE_LIMITED' }, { status: 429, code: 'PROVIDER_RATE_LIMITED' }],
  ['server_error', BAD_ANSWER, BAD_ANSWER],
  ['bad_gateway_html', BAD_ANSWER, BAD_ANSWER],
  ['garbage', BAD_ANSWER, BAD_ANSWER],
  ['slow_first_byte', TIMEOUT, TIMEOUT],
  ['silent', TIMEOUT, TIMEOUT],
  ['session_expired', REAUTH, REAUTH],
  ['conversation_deleted', { status: 410, code: 'CONVERSATION_DELETED_UPSTREAM' }, REJECTED],
  ['parent_broken', { status: 409, code: 'CONVERSATION_CONTINUITY_LOST' }, REJECTED],
  ['access_lost', { status: 403, code: 'CONVERSATION_ACCESS_LOST' }, REAUTH],
  ['image_refused', { status: 503, code: 'IMAGE_GENERATION_UNAVAILABLE' }, UNAVAILABLE],
];

/** On the way: the fault, and the error a stream ends with over each provider. */
const BROKEN: Row<string>[] = [
  ['cut', 'PROVIDER_UNAVAILABLE', 'PROVIDER_UNAVAILABLE'],
  ['half_open', 'PROVIDER_TIMEOUT', 'PROVIDER_TIMEOUT'],
  ['bad_json', 'PROVIDER_UNAVAILABLE', 'PROVIDER_UNAVAILABLE'],
  ['huge_event', 'PROVIDER_UNAVAILABLE', 'PROVIDER_UNAVAILABLE'],
  ['error_mid_stream', 'PROVIDER_UNAVAILABLE', 'PROVIDER_UNAVAILABLE'],
  ['image_refused', 'IMAGE_GENERATION_UNAVAILABLE', 'PROVIDER_UNAVAILABLE'],
];

describe('upstream faults', () => {
  inBothTopologies(
    (house) => {
      const sandbox = new Sandbox(house);
      const operator = new Operator(house);

      describe.each(PROVIDERS)('over %s', (provider) => {
        const expected = <T>(ofSandbox: T, ofOthers: T) => (provider === 'sandbox' ? ofSandbox : ofOthers);

        it.each(REFUSED)('%s before acceptance is a status, whole and streamed, and keeps the message', async (fault, ofSandbox, ofOthers) => {
          const tenant = await makeTenant(house, [provider]);
          for (const body of [{}, { stream: true }]) {
            await reconnect(tenant);
            await onlyAccount(tenant).order({ fault });
            const answer = await ask(house(), { key: tenant.apiKey, say: 'remember the blue door', body });
            expectRefusal(answer, expected(ofSandbox, ofOthers));
            expect(answer.text).not.toMatch(UPSTREAM_WORDS);
          }
          const kept = await query(house(), KEPT_MESSAGES, [tenant.workspaceId]);
          expect(kept).toEqual([{ content: 'remember the blue door' }, { content: 'remember the blue door' }]);
        });

        it.each(BROKEN)('%s on the way ends the stream with an error, and keeps what came', async (fault, ofSandbox, ofOthers) => {
          const tenant = await makeTenant(house, [provider]);
          const account = onlyAccount(tenant);
          await account.order({ fault, after_chunks: 2 });
          const { streamed, conversation } = await sandbox.paced(10, async () => {
            const response = await stream(house(), { key: tenant.apiKey, say: 'count to 5' });
            return { streamed: await readStream(response), conversation: response.headers.get('x-service-conversation-id') ?? '' };
          });
          const code = expected(ofSandbox, ofOthers);
          expect(streamed.error).toMatchObject({ error: { code } });
          expect(streamed.chunks.at(-1)).toMatchObject({ choices: [{ delta: {}, finish_reason: 'error' }], lifecycle_event: { type: 'response.failed', error: { code } } });
          expect(streamed.data.at(-1)).toBe('[DONE]');
          expect(streamed.text).toBe('1 2');
          expect(streamed.raw).not.toMatch(UPSTREAM_WORDS);

          const [turn] = await waitFor(async () => orNothing(await endedTurns(house(), conversation)));
          expect(turn).toMatchObject({ status: 'failed', text: '1 2' });
          expect(said(await ask(house(), { key: tenant.apiKey, conversation, say: 'what was my first message?' })).text).toContain('count to 5');
        });

        it.each(BROKEN)('%s on the way is a status for a whole answer', async (fault, ofSandbox, ofOthers) => {
          const tenant = await makeTenant(house, [provider]);
          await onlyAccount(tenant).order({ fault, after_chunks: 2 });
          const answer = await ask(house(), { key: tenant.apiKey, say: 'count to 5' });
          const code = expected(ofSandbox, ofOthers);
          expect(answer.json).toMatchObject({ error: { code } });
          expectRefusal(answer, { status: code === 'PROVIDER_TIMEOUT' ? 504 : code === 'PROVIDER_UNAVAILABLE' && answer.status === 502 ? 502 : 503, code });
          expect(answer.text).not.toMatch(UPSTREAM_WORDS);
        });

        it('waits for an upstream that is slow but in time', async () => {
          const tenant = await makeTenant(house, [provider]);
          await onlyAccount(tenant).order({ fault: 'slow_first_byte', delay_ms: 100 });
          expect(said(await ask(house(), { key: tenant.apiKey, say: 'say done' })).text).toBe('done');
        });

        it('tells how long a limited account takes, and asks nobody to retry what takes too long', async () => {
          const tenant = await makeTenant(house, [provider]);
          await onlyAccount(tenant).order({ fault: 'rate_limited', delay_ms: 20_000 });
          const short = await ask(house(), { key: tenant.apiKey });
          expect(short.headers.get('retry-after')).toBe('20');
          expect(short.headers.get('x-should-retry')).toBeNull();
          await reconnect(tenant);
          await onlyAccount(tenant).order({ fault: 'rate_limited', delay_ms: 120_000 });
          const long = await ask(house(), { key: tenant.apiKey });
          expect(long.headers.get('retry-after')).toBe('120');
          expect(long.headers.get('x-should-retry')).toBe('false');
        });

        it('leaves a limited account alone for five minutes, and moves nobody from it', async () => {
          const tenant = await makeTenant(house, [provider]);
          const { label } = onlyAccount(tenant);
          const conversation = await begin(tenant);
          await onlyAccount(tenant).order({ fault: 'rate_limited' });
          await ask(house(), { key: tenant.apiKey });
          const connection = await connectionOf(tenant, label);
          expect(connection).toMatchObject({ status: 'rate_limited', health: 'rate_limited' });
          expect(connection.cooldown_seconds).toBeGreaterThan(290);
          expect(connection.cooldown_seconds).toBeLessThanOrEqual(300);

          expectRefusal(await ask(house(), { key: tenant.apiKey }), { status: 503, code: 'NO_HEALTHY_SESSION' });
          for (const selected of [{ account: label }, { conversation }]) {
            const answer = await ask(house(), { key: tenant.apiKey, ...selected });
            expectRefusal(answer, { status: 429, code: 'PROVIDER_RATE_LIMITED' });
            expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(290);
          }

          await connectAccount(house, tenant.workspaceId, provider);
          expect(said(await ask(house(), { key: tenant.apiKey, say: 'say elsewhere' })).text).toBe('elsewhere');
          expectRefusal(await ask(house(), { key: tenant.apiKey, conversation }), { status: 429, code: 'PROVIDER_RATE_LIMITED' });
        });

        it('opens the breaker after failures in a row, and closes it when the account is tested', async () => {
          const tenant = await makeTenant(house, [provider]);
          const account = onlyAccount(tenant);
          const conversation = await begin(tenant);
          await account.order({ fault: 'server_error', count: 5 });
          for (let failures = 0; failures < 5; failures++) expectRefusal(await ask(house(), { key: tenant.apiKey }), BAD_ANSWER);
          const connection = await connectionOf(tenant, account.label);
          expect(connection).toMatchObject({ status: 'cooldown', health: 'cooldown' });
          expect(connection.cooldown_seconds).toBeLessThanOrEqual(30);

          const accepted = (await account.report()).turns_accepted;
          expectRefusal(await ask(house(), { key: tenant.apiKey }), { status: 503, code: 'NO_HEALTHY_SESSION' });
          const sticky = await ask(house(), { key: tenant.apiKey, conversation });
          expectRefusal(sticky, { status: 503, code: 'CONVERSATION_UPSTREAM_UNAVAILABLE' });
          expect(Number(sticky.headers.get('retry-after'))).toBeGreaterThan(0);
          expect((await account.report()).turns_accepted).toBe(accepted);

          await reconnect(tenant);
          expect(said(await ask(house(), { key: tenant.apiKey, conversation, say: 'what did I ask you to remember?' })).text).toContain('the blue door');
          expect(await connectionOf(tenant, account.label)).toMatchObject({ status: 'active', health: 'healthy' });
        });

        it('knows an expired session until the account is reconnected', async () => {
          const tenant = await makeTenant(house, [provider]);
          const { label, connectionId, password, apiKey } = onlyAccount(tenant);
          const conversation = await begin(tenant);
          await onlyAccount(tenant).order({ fault: 'session_expired' });
          expectRefusal(await ask(house(), { key: tenant.apiKey, conversation }), REAUTH);
          expect(await connectionOf(tenant, label)).toMatchObject({ status: 'expired', health: 'unhealthy' });
          expectRefusal(await ask(house(), { key: tenant.apiKey, conversation }), { status: 419, code: 'CONVERSATION_SESSION_EXPIRED' });
          expectRefusal(await ask(house(), { key: tenant.apiKey, account: label }), { status: 503, code: 'ACCOUNT_REAUTH_REQUIRED' });
          expectRefusal(await ask(house(), { key: tenant.apiKey }), { status: 503, code: 'NO_HEALTHY_SESSION' });

          await operator.updateConnection(connectionId, tenant.workspaceId, provider === 'sandbox' ? { password } : { api_key: apiKey });
          expect(said(await ask(house(), { key: tenant.apiKey, conversation, say: 'what did I ask you to remember?' })).text).toContain('the blue door');
          expect(await connectionOf(tenant, label)).toMatchObject({ status: 'active', health: 'healthy' });
        });
      });

      it.each<[UpstreamChange, Refusal, string]>([
        ['delete', { status: 410, code: 'CONVERSATION_DELETED_UPSTREAM' }, 'deleted_upstream'],
        ['break-chain', { status: 409, code: 'CONVERSATION_CONTINUITY_LOST' }, 'continuity_lost'],
        ['lose-access', { status: 403, code: 'CONVERSATION_ACCESS_LOST' }, 'access_lost'],
      ])('a conversation lost upstream (%s) stays lost, and the account stays healthy', async (change, refusal, status) => {
        const tenant = await makeTenant(house);
        const account = onlyAccount(tenant);
        const conversation = await begin(tenant);
        const [upstream] = (await account.report()).conversations;
        await sandbox.change(upstream?.id ?? '', change);
        expectRefusal(await ask(house(), { key: tenant.apiKey, conversation }), refusal);
        const known = async () => (await query<{ continuity_status: string }>(house(), 'SELECT continuity_status FROM conversation.conversations WHERE id = $1', [conversation]))[0];
        await waitFor(async () => (await known())?.continuity_status === status);
        await sandbox.change(upstream?.id ?? '', 'restore');
        expectRefusal(await ask(house(), { key: tenant.apiKey, conversation }), refusal);
        expect(await connectionOf(tenant, account.label)).toMatchObject({ status: 'active', health: 'healthy' });
        expect(said(await ask(house(), { key: tenant.apiKey, say: 'say new' })).text).toBe('new');
      });

      it('a session that the upstream ended is the same as an expired one', async () => {
        const tenant = await makeTenant(house);
        const { id, label } = onlyAccount(tenant);
        const conversation = await begin(tenant);
        await sandbox.expireSessions(id);
        expectRefusal(await ask(house(), { key: tenant.apiKey, conversation }), REAUTH);
        expect(await connectionOf(tenant, label)).toMatchObject({ status: 'expired', health: 'unhealthy' });
      });

      it('a refused image leaves the account as it was', async () => {
        const tenant = await makeTenant(house);
        const account = onlyAccount(tenant);
        await begin(tenant);
        await account.order({ fault: 'image_refused', count: 6 });
        for (let refusals = 0; refusals < 6; refusals++) {
          expectRefusal(await ask(house(), { key: tenant.apiKey, say: 'draw a cat' }), { status: 503, code: 'IMAGE_GENERATION_UNAVAILABLE' });
        }
        expect(await connectionOf(tenant, account.label)).toMatchObject({ status: 'active', health: 'healthy' });
      });

      it('an account whose tier is too low is not an expired session', async () => {
        const tenant = await makeTenant(house);
        const account = onlyAccount(tenant);
        await begin(tenant);
        await account.order({ fault: 'upgrade_required' });
        const answer = await ask(house(), { key: tenant.apiKey });
        expectRefusal(answer, { status: 403, code: 'UPSTREAM_ACCOUNT_NOT_AUTHORIZED' });
        expect(await connectionOf(tenant, account.label)).toMatchObject({ status: 'active', health: 'healthy' });
      });

      /** Begins a conversation that remembers a blue door. */
      async function begin(tenant: Tenant): Promise<string> {
        return said(await ask(house(), { key: tenant.apiKey, say: 'remember the blue door' })).conversation;
      }

      /** Clears what is known against the account, as the operator does it. */
      async function reconnect(tenant: Tenant): Promise<void> {
        const { connectionId } = onlyAccount(tenant);
        const { json } = await operator.call('POST', `/connections/${connectionId}/test?workspace_id=${tenant.workspaceId}`);
        expect(json).toMatchObject({ ok: true, code: null });
      }

      async function connectionOf(tenant: Tenant, label: string) {
        const answer: Answer = await call(house(), 'GET', '/v1/connections', { key: tenant.apiKey });
        const connection = z.array(connections).parse(answer.json).find((candidate) => candidate.label === label);
        if (!connection) throw new Error(`no connection ${label}: ${answer.text}`);
        return connection;
      }
    },
    { env: { PARLEY_UPSTREAM_ACCEPTANCE_MS: '400ms', PARLEY_UPSTREAM_SILENCE_MS: '400ms' } },
  );
});

const connections = z.object({ label: z.string(), status: z.string(), health: z.string(), cooldown_seconds: z.int().optional() });

const KEPT_MESSAGES = `
  SELECT m.content FROM conversation.messages m JOIN conversation.conversations c ON c.id = m.conversation_id
   WHERE c.workspace_id = $1 AND m.role = 'user' ORDER BY m.created_at`;

function orNothing<T>(items: T[]): T[] | undefined {
  return items.length > 0 ? items : undefined;
}
