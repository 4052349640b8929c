import { type ServerResponse } from 'node:http';
import { z } from 'zod';
import { requirePermission } from '../../../identity/require-permission.ts';
import { readHeader } from '../../../middleware/read-header.ts';
import { getRequestContext } from '../../../middleware/request-context.ts';
import { listKeyIdsOfUser } from '../../../store/keys.ts';
import { type RouteDeps } from '../../deps.ts';
import { uuid } from '../../fields.ts';
import { type Input, RESPONSE_SENT } from '../../route.ts';
import { requireSession } from '../require-session.ts';
import { ChangeStream } from './change-stream.ts';

const ALL = 'all';
const LAST_EVENT_ID = 'Last-Event-ID';

/** Query parameters of the change stream. */
export const changesQuery = z.object({
  workspace_id: z
    .union([uuid, z.literal(ALL)])
    .optional()
    .meta({ description: 'One workspace, or `all` for a role of the whole gateway; without it, those one is a member of.' }),
  last_event_id: z.string().max(40).optional().meta({ description: 'The same as the header, for a page that opens the stream anew.' }),
});

/** Request header with which a client resumes a stream. */
export const changesHeaders = z.object({
  [LAST_EVENT_ID]: z.string().optional().meta({ description: 'The id of the last received event.' }),
});

/** The data of one event of the stream. */
export const changeEvent = z
  .object({ workspace_id: z.string().optional() })
  .loose()
  .meta({
    id: 'Change',
    description:
      'A hint that something changed: ids and states, never content. Events are `ready` (from its id the stream can go on), `connection.changed`, `conversation.changed`, `conversation.answered`, `asset.changed`, ' +
      '`project.changed` (its files too), `speech_job.changed` (while it is `processing`, about once a second with its `progress` in percent), ' +
      '`action_run.changed`, `usage.changed`, `resync` (read everything again) and `session_ended`.',
  });

/** Streams the changes that the caller may see as server-sent events, until the session ends. */
export async function listChanges(
  { principal, query, req }: Input<undefined, z.output<typeof changesQuery>>,
  { db, identity, feed, openStreams, config, draining }: RouteDeps,
  res: ServerResponse,
): Promise<typeof RESPONSE_SENT> {
  const { userId } = requireSession(principal);
  if (query.workspace_id !== undefined) {
    requirePermission(principal, 'connections.read', query.workspace_id === ALL ? undefined : query.workspace_id);
  }
  const keyIds = await listKeyIdsOfUser(db, userId);
  openStreams.add(userId, res);
  const after = readHeader(req.headers, LAST_EVENT_ID) || query.last_event_id;
  const { pingIntervalMs: pingMs, stalledClientMs: stalledMs } = config;
  const live = new ChangeStream({
    res,
    sse: { headers: { 'x-request-id': getRequestContext(req).id }, pingMs, stalledMs },
    feed,
    after,
    viewer: { userId, keyIds, rights: requireSession(principal).rights, workspace: query.workspace_id },
    findSession: () => identity.sessions.find(req),
    findKeyIds: () => listKeyIdsOfUser(db, userId),
  });
  await live.run(draining);
  return RESPONSE_SENT;
}
