import { GatewayError } from '@parley/protos/errors';
import { type Connection } from '../connections/connection.ts';
import { type Deps } from '../deps.ts';
import { findMoveMode } from '../domain/conversation-move.ts';
import { type ConnectionProvider, type ProviderTraits } from '../providers/provider.ts';
import { findSharedSlug, hasProjects, type ConnectionIdentity } from '../store/removed-connections.ts';

/** The target of moving a connection's conversations. */
export interface ConversationMove {
  to: Connection;
  /** The conversations continue from their state at the upstream, which is the same account; otherwise the history is replayed. */
  keepState: boolean;
}

/**
 * Validates moving a connection's conversations to the connection with this label. Throws VALIDATION_ERROR when that does not exist or is
 * not active, when conversations would lose their state at the upstream, when it has no projects but the other does, and when both have a
 * project with the same slug.
 */
export async function requireMoveTarget(deps: Deps, from: ConnectionIdentity, label: string): Promise<ConversationMove> {
  const connections = await deps.connections.listChat(from.workspaceId);
  const to = connections.find(({ row }) => row.label === label);
  if (!to) throw invalid(`no connection that chats run on has the label ${JSON.stringify(label.slice(0, 64))}`);
  if (to.id === from.id) throw invalid('conversations cannot move to the connection that is removed');
  if (!to.ready) throw invalid(`${label} takes no turns: it is ${to.toMessage().status}`);
  const provider = deps.providers.has(from.provider) ? deps.providers.get(from.provider) : undefined;
  if (!isChat(provider)) throw invalid('the connection has no conversations that could move');
  const how = findMoveMode(
    { ...from, state: provider.traits.conversationState },
    { ...to.row, state: to.provider.traits.conversationState },
  );
  if (!how) {
    throw invalid(
      'conversations move only between connections whose providers keep none of them, or between two of the same account: ' +
        `what ${keeper(provider.traits, to)} keeps would be lost`,
    );
  }
  await requireProjectsToFit(deps, from, to);
  return { to, keepState: how === 'keep' };
}

async function requireProjectsToFit({ store }: Deps, from: ConnectionIdentity, to: Connection): Promise<void> {
  if (!to.provider.projects && (await hasProjects(store.database, from.id)))
    throw invalid(`${to.row.label} takes no projects, and the connection has some`);
  const slug = await findSharedSlug(store.database, from.id, to.id);
  if (slug !== undefined) throw invalid(`both connections have a project ${JSON.stringify(slug)}; rename or delete one of them first`);
}

/** Name of the provider that keeps conversation state, for the error message. */
function keeper(from: ProviderTraits, to: Connection): string {
  return from.conversationState === 'upstream' ? from.name : to.provider.traits.name;
}

function isChat(kind: ConnectionProvider | undefined): kind is ConnectionProvider & { traits: ProviderTraits } {
  return kind?.traits.purpose === 'chat';
}

function invalid(message: string): GatewayError {
  return new GatewayError('VALIDATION_ERROR', message, { param: 'move_to' });
}
