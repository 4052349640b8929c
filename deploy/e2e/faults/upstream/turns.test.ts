import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { ask, said, stream } from '../../harness/chat.ts';
import { endedTurns, query } from '../../harness/database.ts';
import { readStream } from '../../harness/event-stream.ts';
import { expectRefusal, type Refusal } from '../../harness/expectations.ts';
import { call } from '../../harness/http.ts';
import { type FaultOrder, Sandbox } from '../../harness/sandbox.ts';
import { makeTenant, onlyAccount, type Provider } from '../../harness/tenant.ts';
import { inBothTopologies } from '../../harness/topologies.ts';
import { clearAccount } from './health.ts';

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
  ['session_expired', REAUTH, REAUTH],
  ['conversation_deleted', { status: 410, code: 'CONVERSATION_DELETED_UPSTREAM' }, REJECTED],
  ['parent_broken', { status: 409, code: 'CONVERSATION_CONTINUITY_LOST' }, REJECTED],
  ['access_lost', { status: 403, code: 'CONVERSATION_ACCESS_LOST' }, REJECTED],
  ['image_refused', { status: 503, code: 'IMAGE_GENERATION_UNAVAILABLE' }, UNAVAILABLE],
];

/** Faults that take a turn beyond its time; one that comes in the end comes after a minute. */
const LATE: FaultOrder[] = [{ fault: 'slow_first_byte', delay_ms: 60_000 }, { fault: 'silent' }];

/** On the way: the fault, and the error a stream ends with over each provider. */
const BROKEN: Row<string>[] = [
  ['cut', 'PROVIDER_UNAVAILABLE', 'PROVIDER_UNAVAILABLE'],
  ['half_open', 'PROVIDER_TIMEOUT', 'PROVIDER_TIMEOUT'],
  ['bad_json', 'PROVIDER_UNAVAILABLE', 'PROVIDER_UNAVAILABLE'],
  ['huge_event', 'PROVIDER_UNAVAILABLE', 'PROVIDER_UNAVAILABLE'],
  ['error_mid_stream', 'PROVIDER_UNAVAILABLE', 'PROVIDER_UNAVAILABLE'],
  ['image_refused', 'IMAGE_GENERATION_UNAVAILABLE', 'PROVIDER_UNAVAILABLE'],
];

describe('a turn that meets a fault upstream', () => {
  inBothTopologies(
    (gateway) => {
      const sandbox = new Sandbox(gateway);

      describe.each(PROVIDERS)('over %s', (provider) => {
        const expected = <T>(ofSandbox: T, ofOthers: T) => (provider === 'sandbox' ? ofSandbox : ofOthers);

        it.each(REFUSED)(
          '%s before acceptance is a status, whole and streamed, and keeps the message',
          async (fault, ofSandbox, ofOthers) => {
            const tenant = await makeTenant(gateway, [provider]);
            for (const body of [{}, { stream: true }]) {
              await clearAccount(gateway(), tenant);
              await onlyAccount(tenant).order({ fault });
              const answer = await ask(gateway(), { key: tenant.apiKey, say: 'remember the blue door', body });
              expectRefusal(answer, expected(ofSandbox, ofOthers));
              expect(answer.text).not.toMatch(UPSTREAM_WORDS);
            }
            const kept = await query(gateway(), KEPT_MESSAGES, [tenant.workspaceId]);
            expect(kept).toEqual([{ content: 'remember the blue door' }, { content: 'remember the blue door' }]);
          },
        );

        it('an answer that does not begin is a timeout, whole and streamed, and keeps the message', async () => {
          const turns = LATE.flatMap((order) => [{}, { stream: true }].map((body) => ({ order, body })));
          // Each waits for as long, so they wait together.
          await Promise.all(
            turns.map(async ({ order, body }) => {
              const tenant = await makeTenant(gateway, [provider]);
              await onlyAccount(tenant).order(order);
              expectRefusal(await ask(gateway(), { key: tenant.apiKey, say: 'remember the blue door', body }), TIMEOUT);
              expect(await query(gateway(), KEPT_MESSAGES, [tenant.workspaceId])).toEqual([{ content: 'remember the blue door' }]);
            }),
          );
        });

        it('leaves a refused conversation out of the list until a retry is accepted', async () => {
          const tenant = await makeTenant(gateway, [provider]);
          await onlyAccount(tenant).order({ fault: 'server_error' });
          const turn = { key: tenant.apiKey, say: 'say blue', headers: { 'idempotency-key': 'refused-once' } };
          const refused = await ask(gateway(), turn);
          expectRefusal(refused, BAD_ANSWER);
          const listed = async () => (await call(gateway(), 'GET', '/v1/conversations', { key: tenant.apiKey })).json;
          expect(await listed()).toEqual([]);
          const [kept] = await query<{ id: string }>(gateway(), KEPT_CONVERSATIONS, [tenant.workspaceId]);
          const id = kept?.id ?? '';
          expect((await call(gateway(), 'GET', `/v1/conversations/${id}`, { key: tenant.apiKey })).status).toBe(200);
          await clearAccount(gateway(), tenant);
          expect(said(await ask(gateway(), turn)).conversation).toBe(id);
          expect(await listed()).toEqual([expect.objectContaining({ id })]);
        });

        it.each(BROKEN)('%s on the way ends the stream with an error, and keeps what came', async (fault, ofSandbox, ofOthers) => {
          const tenant = await makeTenant(gateway, [provider]);
          const account = onlyAccount(tenant);
          await account.order({ fault, after_chunks: 2 });
          const { streamed, conversation } = await sandbox.paced(10, async () => {
            const response = await stream(gateway(), { key: tenant.apiKey, say: 'count to 5' });
            return { streamed: await readStream(response), conversation: response.headers.get('x-service-conversation-id') ?? '' };
          });
          const code = expected(ofSandbox, ofOthers);
          expect(streamed.error).toMatchObject({ error: { code } });
          expect(streamed.chunks.at(-1)).toMatchObject({
            choices: [{ delta: {}, finish_reason: 'error' }],
            lifecycle_event: { type: 'response.failed', error: { code } },
          });
          expect(streamed.data.at(-1)).toBe('[DONE]');
          expect(streamed.text).toBe('1 2');
          expect(streamed.raw).not.toMatch(UPSTREAM_WORDS);

          const [turn] = await waitFor(async () => orNothing(await endedTurns(gateway(), conversation)));
          expect(turn).toMatchObject({ status: 'failed', text: '1 2' });
          expect(said(await ask(gateway(), { key: tenant.apiKey, conversation, say: 'what was my first message?' })).text).toContain(
            'count to 5',
          );
        });

        it.each(BROKEN)('%s on the way is a status for a whole answer', async (fault, ofSandbox, ofOthers) => {
          const tenant = await makeTenant(gateway, [provider]);
          await onlyAccount(tenant).order({ fault, after_chunks: 2 });
          const answer = await ask(gateway(), { key: tenant.apiKey, say: 'count to 5' });
          const code = expected(ofSandbox, ofOthers);
          expect(answer.json).toMatchObject({ error: { code } });
          expectRefusal(answer, {
            status: code === 'PROVIDER_TIMEOUT' ? 504 : code === 'PROVIDER_UNAVAILABLE' && answer.status === 502 ? 502 : 503,
            code,
          });
          expect(answer.text).not.toMatch(UPSTREAM_WORDS);
        });

        it('waits for an upstream that is slow but in time', async () => {
          const tenant = await makeTenant(gateway, [provider]);
          await onlyAccount(tenant).order({ fault: 'slow_first_byte', delay_ms: 100 });
          expect(said(await ask(gateway(), { key: tenant.apiKey, say: 'say done' })).text).toBe('done');
        });
      });
    },
    { env: { PARLEY_UPSTREAM_ACCEPTANCE_MS: '3s', PARLEY_UPSTREAM_SILENCE_MS: '3s' } },
  );
});

const KEPT_CONVERSATIONS = 'SELECT id FROM conversation.conversations WHERE workspace_id = $1';
const KEPT_MESSAGES = `
  SELECT m.content FROM conversation.messages m JOIN conversation.conversations c ON c.id = m.conversation_id
   WHERE c.workspace_id = $1 AND m.role = 'user' ORDER BY m.created_at`;

function orNothing<T>(items: T[]): T[] | undefined {
  return items.length > 0 ? items : undefined;
}
