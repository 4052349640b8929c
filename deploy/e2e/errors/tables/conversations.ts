import { UNKNOWN_ID } from '../../bad-inputs/rows.ts';
import { stream } from '../../harness/chat.ts';
import { readUntil } from '../../harness/event-stream.ts';
import { Sandbox, type UpstreamChange } from '../../harness/sandbox.ts';
import { exhaustAccount, spoilAccount } from '../../harness/spoil-account.ts';
import { inATenant, type ErrorContext } from '../error-context.ts';
import { type Provoke, type Row } from '../row.ts';

/** Goes on with a conversation after something has happened. */
const after = (happen: (context: ErrorContext, conversation: string) => Promise<unknown>): Provoke =>
  inATenant(async (context) => {
    const conversation = await context.begin();
    await happen(context, conversation);
    return context.chat({ conversation });
  });
/** Something happens to it upstream. */
const changed = (change: UpstreamChange): Provoke =>
  after(async ({ gateway, account }) => {
    const [upstream] = (await account().report()).conversations;
    await new Sandbox(() => gateway).change(upstream?.id ?? '', change);
  });

const projectGone: Provoke = inATenant(async ({ chat, send, project }) => {
  const { id } = await project();
  const created = await send('POST', '/v1/conversations', { body: { upstream_project_id: id } });
  await send('DELETE', `/v1/projects/${id}`);
  return chat({ conversation: (created.json as { id: string }).id });
});

const whileAnswering: Provoke = inATenant(({ gateway, chat, key }) =>
  new Sandbox(() => gateway).paced(50, async () => {
    const running = await stream(gateway, { key, say: 'count to 1000' });
    const conversation = running.headers.get('x-service-conversation-id') ?? '';
    const { reader } = await readUntil(running, (raw) => raw.includes('" 2"'));
    try {
      return await chat({ conversation });
    } finally {
      await reader.cancel();
    }
  }),
);

/** Errors of conversations. */
export const CONVERSATIONS: readonly Row[] = [
  ['CONVERSATION_NOT_FOUND', 'a conversation that there is not', inATenant(({ chat }) => chat({ conversation: UNKNOWN_ID }))],
  [
    'CONVERSATION_ACCESS_DENIED',
    'the conversation of another key',
    inATenant(async ({ chat, begin, anotherKey }) => chat({ conversation: await begin(), key: await anotherKey() })),
  ],
  ['MESSAGE_NOT_FOUND', 'a message that there is not', inATenant(({ send }) => send('GET', `/v1/messages/${UNKNOWN_ID}`))],
  [
    'PARTICIPANT_NOT_FOUND',
    'a user who is no participant',
    inATenant(async ({ send, begin }) => send('DELETE', `/v1/conversations/${await begin()}/participants/${UNKNOWN_ID}`)),
    { param: 'user_id' },
  ],
  ['REQUEST_NOT_FOUND', 'a request that there is not', inATenant(({ operator }) => operator.call('GET', `/requests/${UNKNOWN_ID}`))],
  ['CONVERSATION_ACCESS_LOST', 'the upstream shuts it', changed('lose-access')],
  ['CONVERSATION_CONTINUITY_LOST', 'the upstream loses what was said', changed('break-chain')],
  ['CONVERSATION_DELETED_UPSTREAM', 'the upstream deletes it', changed('delete')],
  ['CONVERSATION_PROJECT_UNAVAILABLE', 'its project is deleted', projectGone],
  [
    'CONVERSATION_SESSION_EXPIRED',
    'the session of its account is known to have expired',
    after(({ gateway, tenant }) => spoilAccount(gateway, tenant, 'session_expired')),
  ],
  [
    'CONVERSATION_UPSTREAM_UNAVAILABLE',
    'its account is cooling down',
    after(({ gateway, tenant }) => exhaustAccount(gateway, tenant)),
    { waits: true },
  ],
  ['CONVERSATION_BUSY', 'another turn is under way in it', whileAnswering, { waits: true }],
];
