import { type Call } from '@parley/kit/rpc/call';
import { toClientError } from '../conversation/conversation-errors.ts';
import { type Deps } from '../deps.ts';

type ConversationDeps = Pick<Deps, 'conversation'>;

const COUNT_MS = 5_000;
/** Deadline of writes that may touch every conversation of a connection. */
const WRITE_MS = 30_000;

/** Returns how many conversations are bound to a connection, existing or removed. Throws SERVICE_UNAVAILABLE like `rebindConversations`. */
export async function countBoundConversations(
  { conversation }: ConversationDeps,
  upstreamAccountId: string,
  { caller }: Call,
): Promise<number> {
  const answer = conversation.countBoundConversations({ upstreamAccountId }, { caller, deadlineMs: COUNT_MS });
  return (await recorded(answer)).conversations;
}

/**
 * Binds the conversations of one connection to another and returns their number; conversations already bound to the other are unaffected.
 * Continues when the caller disconnects, so that it is not left half done. Throws SERVICE_UNAVAILABLE when the conversation service is
 * unavailable.
 */
export async function rebindConversations(
  { conversation }: ConversationDeps,
  fromAccountId: string,
  toAccountId: string,
  keepState: boolean,
  { caller }: Call,
): Promise<number> {
  const answer = conversation.rebindConversations({ fromAccountId, toAccountId, keepState }, { caller, deadlineMs: WRITE_MS });
  return (await recorded(answer)).conversations;
}

/** Marks the conversations of a removed connection as `access_lost`. Throws SERVICE_UNAVAILABLE like `rebindConversations`. */
export async function markAccessLost({ conversation }: ConversationDeps, upstreamAccountId: string, { caller }: Call): Promise<void> {
  const of = { $case: 'upstreamAccountId', value: upstreamAccountId } as const;
  await recorded(conversation.markConversations({ of, status: 'access_lost' }, { caller, deadlineMs: WRITE_MS }));
}

/** Marks the conversations of a deleted project as `project_unavailable`. Throws SERVICE_UNAVAILABLE like `rebindConversations`. */
export async function markProjectUnavailable(
  { conversation }: ConversationDeps,
  upstreamProjectId: string,
  { caller }: Call,
): Promise<void> {
  const of = { $case: 'upstreamProjectId', value: upstreamProjectId } as const;
  await recorded(conversation.markConversations({ of, status: 'project_unavailable' }, { caller, deadlineMs: WRITE_MS }));
}

function recorded<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    throw toClientError(error);
  });
}
