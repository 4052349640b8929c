import { type QueryClient } from '@tanstack/react-query';
import { type ChangeEventName, CHANGE_EVENTS, listStaleQueryKeys } from './change-events.ts';
import { refreshConversations } from './refresh-conversations.ts';

/** Whether changes arrive. */
export type LiveState = 'connecting' | 'live' | 'lost';

const RETRY_MS = 3000;
/** Several changes within this time are one refresh. */
const GATHER_MS = 250;

/** The answer that brings a new cookie may come after the end of the stream of the old one. */
const NEW_COOKIE_MS = 1000;

interface Callbacks {
  onState: (state: LiveState) => void;
  onSessionEnd: () => void;
}

/**
 * Keeps what is shown fresh by `GET /me/v1/events`, whose events are hints: what they name is read again. The browser resumes a lost stream by
 * `Last-Event-ID`; where the gateway cannot exclude a gap it says `resync`, and everything is read again. Returns what ends it.
 */
export function openLiveStream(queries: QueryClient, { onState, onSessionEnd }: Callbacks): () => void {
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let gathering: ReturnType<typeof setTimeout> | undefined;
  let lastId = '';
  let isClosed = false;
  const old = new Map<string, readonly unknown[]>();
  /** Ids of those that have changed, by workspace. */
  const conversations = new Map<string, Set<string>>();

  const refresh = () => {
    gathering = undefined;
    for (const queryKey of old.values()) void queries.invalidateQueries({ queryKey });
    old.clear();
    for (const [workspaceId, ids] of conversations) void refreshConversations(queries, workspaceId, ids);
    conversations.clear();
  };
  const gather = (name: ChangeEventName, data: Record<string, unknown>) => {
    for (const key of listStaleQueryKeys(name, data)) old.set(JSON.stringify(key), key);
    if (name === 'conversation.changed' || name === 'conversation.answered') {
      const workspaceId = String(data['workspace_id']);
      conversations.set(workspaceId, (conversations.get(workspaceId) ?? new Set()).add(String(data['conversation_id'])));
    }
    gathering ??= setTimeout(refresh, GATHER_MS);
  };
  const open = () => {
    onState('connecting');
    source = new EventSource(lastId ? `/me/v1/events?last_event_id=${encodeURIComponent(lastId)}` : '/me/v1/events');
    source.addEventListener('open', () => onState('live'));
    source.addEventListener('error', () => {
      onState('lost');
      // The browser does not retry a stream that got an error response.
      if (source?.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY_MS);
    });
    source.addEventListener('resync', () => void queries.invalidateQueries());
    source.addEventListener('session_ended', () => {
      source?.close();
      void isSignedIn().then((isStill) => {
        if (isClosed) return;
        if (isStill) open();
        else onSessionEnd();
      });
    });
    for (const name of CHANGE_EVENTS) {
      source.addEventListener(name, (event: MessageEvent<string>) => {
        lastId = event.lastEventId;
        gather(name, JSON.parse(event.data) as Record<string, unknown>);
      });
    }
  };
  const close = () => {
    isClosed = true;
    source?.close();
    clearTimeout(retry);
    clearTimeout(gathering);
  };
  open();
  return close;
}

/** Whether the browser still has a session: a change of what the person proves or may gives it a new cookie, which ends the stream of the old one. */
async function isSignedIn(): Promise<boolean> {
  for (const waitMs of [0, NEW_COOKIE_MS]) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const answer = await fetch('/me/v1/session').catch(() => undefined);
    // Without an answer nothing is known: the stream is tried again.
    if (answer?.status !== 401) return true;
  }
  return false;
}
