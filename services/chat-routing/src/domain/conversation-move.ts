/** What the move of conversations from one connection to another looks at. */
export interface UpstreamIdentity {
  provider: string;
  baseUrl: string;
  account: string;
}

/** Who keeps the conversations of a connection. */
export type ConversationState = 'upstream' | 'replayed';

/** Whether both are the same account of the same upstream, so that one can go on from what the other kept. */
export function isSameUpstream(one: UpstreamIdentity, other: UpstreamIdentity): boolean {
  return (
    one.provider === other.provider &&
    withoutTrailingSlash(one.baseUrl) === withoutTrailingSlash(other.baseUrl) &&
    one.account === other.account
  );
}

/**
 * How conversations move between two connections: `replay` where no upstream keeps any, since the record has the history, and `keep` where both
 * are the same account. Undefined where a conversation would lose what its upstream knows of it.
 */
export function findMove(
  from: UpstreamIdentity & { state: ConversationState },
  to: UpstreamIdentity & { state: ConversationState },
): 'replay' | 'keep' | undefined {
  if (from.state === 'replayed' && to.state === 'replayed') return 'replay';
  return isSameUpstream(from, to) ? 'keep' : undefined;
}

/** URLs with and without a trailing slash are the same address. */
function withoutTrailingSlash(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, '');
}
