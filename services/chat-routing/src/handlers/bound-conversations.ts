import { type Call } from '@parley/kit/rpc/call';
import { recordError } from '../conversation/record-error.ts';
import { type Deps } from '../deps.ts';

type ConversationDeps = Pick<Deps, 'conversation'>;

const COUNT_MS = 5_000;
/** Every conversation of a connection may be written. */
const WRITE_MS = 30_000;

/** How many conversations are bound to a connection, there or gone. Throws SERVICE_UNAVAILABLE when the record cannot be asked. */
export async function countBound({ conversation }: ConversationDeps, upstreamAccountId: string, { caller }: Call): Promise<number> {
  const answer = conversation.countBoundConversations({ upstreamAccountId }, { caller, deadlineMs: COUNT_MS });
  return (await recorded(answer)).conversations;
}

/**
 * Binds the conversations of one connection to another, and gives their number; what was bound before stays. It goes on when the caller has left, so
 * that it is not done by half. Throws SERVICE_UNAVAILABLE when the record cannot be asked.
 */
export async function rebind(
  { conversation }: ConversationDeps,
  fromAccountId: string,
  toAccountId: string,
  keepState: boolean,
  { caller }: Call,
): Promise<number> {
  const answer = conversation.rebindConversations({ fromAccountId, toAccountId, keepState }, { caller, deadlineMs: WRITE_MS });
  return (await recorded(answer)).conversations;
}

/** Marks the conversations of a deleted connection as lost. Throws SERVICE_UNAVAILABLE as `rebind` does. */
export async function markLost({ conversation }: ConversationDeps, upstreamAccountId: string, { caller }: Call): Promise<void> {
  const of = { $case: 'upstreamAccountId', value: upstreamAccountId } as const;
  await recorded(conversation.markConversations({ of, status: 'access_lost' }, { caller, deadlineMs: WRITE_MS }));
}

/** Marks the conversations of a project that is gone. Throws SERVICE_UNAVAILABLE as with `rebind`. */
export async function markProjectGone({ conversation }: ConversationDeps, upstreamProjectId: string, { caller }: Call): Promise<void> {
  const of = { $case: 'upstreamProjectId', value: upstreamProjectId } as const;
  await recorded(conversation.markConversations({ of, status: 'project_unavailable' }, { caller, deadlineMs: WRITE_MS }));
}

function recorded<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    throw recordError(error);
  });
}
