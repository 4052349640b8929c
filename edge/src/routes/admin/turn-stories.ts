import { type TurnStory } from '@parley/protos/conversation/v1/conversation';
import { type z } from 'zod';
import { toTurnStory, type turnStory } from '../../wire/turn-story.ts';
import { type ConnectionNames } from '../../wire/turn-timeline.ts';
import { type RouteDeps } from '../deps.ts';
import { type Input } from '../route.ts';
import { withWorkspace } from './callers.ts';

/** Most connections per workspace whose names are read; a workspace rarely has more. */
const MAX_CONNECTIONS = 1_000;
const NAMES_MS = 1_500;

/** Converts turns to their JSON form, with the names of their connections. While chat-routing does not answer, the names are null. */
export async function toTurnStories(
  turns: readonly TurnStory[],
  principal: Input['principal'],
  deps: RouteDeps,
): Promise<z.input<typeof turnStory>[]> {
  const names = await listConnectionNames(new Set(turns.map(({ workspaceId }) => workspaceId)), principal, deps);
  const now = Date.now();
  return turns.map((turn) => toTurnStory(turn, names, now));
}

async function listConnectionNames(
  workspaceIds: ReadonlySet<string>,
  principal: Input['principal'],
  { clients }: RouteDeps,
): Promise<ConnectionNames> {
  const request = { provider: '', status: '', limit: MAX_CONNECTIONS, offset: 0 };
  const ofEach = [...workspaceIds].map(async (id) => {
    const init = { caller: withWorkspace(principal, id), deadlineMs: NAMES_MS };
    const { connections } = await clients.chatRouting.listConnections(request, init).catch(() => ({ connections: [] }));
    return connections.map(({ id: connectionId, label, provider }) => [connectionId, { label, provider }] as const);
  });
  return new Map((await Promise.all(ofEach)).flat());
}
