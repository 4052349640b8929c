/** Identifies an account at an upstream; decides whether conversations can move between two connections. */
export interface UpstreamIdentity {
  provider: string;
  baseUrl: string;
  account: string;
}

/** Where the state of a connection's conversations is kept: at the upstream, or nowhere (the history is replayed with each turn). */
export type ConversationStateLocation = 'upstream' | 'replayed';

/** Whether both are the same account at the same upstream, so that conversations of one can continue on the other. */
export function isSameUpstream(one: UpstreamIdentity, other: UpstreamIdentity): boolean {
  return (
    one.provider === other.provider &&
    withoutTrailingSlash(one.baseUrl) === withoutTrailingSlash(other.baseUrl) &&
    one.account === other.account
  );
}

/**
 * Returns how conversations can move between two connections: `replay` when neither upstream keeps their state, since the gateway has the
 * history; `keep` when both are the same account. Undefined when a conversation would lose its state at the upstream.
 */
export function findMoveMode(
  from: UpstreamIdentity & { state: ConversationStateLocation },
  to: UpstreamIdentity & { state: ConversationStateLocation },
): 'replay' | 'keep' | undefined {
  if (from.state === 'replayed' && to.state === 'replayed') return 'replay';
  return isSameUpstream(from, to) ? 'keep' : undefined;
}

/** Removes trailing slashes, so that equivalent URLs compare as equal. */
function withoutTrailingSlash(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, '');
}
