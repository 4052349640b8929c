import { ERROR_CATALOGUE } from '@parley/protos/error-catalogue';
import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { TURN_STATUSES, type turnPage } from '../../../wire/turn-story.ts';
import { type RouteDeps } from '../../deps.ts';
import { time, uuid } from '../../fields.ts';
import { paging, integerParam } from '../../paging.ts';
import { type Input, type Reply } from '../../route.ts';
import { toTurnStories } from '../turn-stories.ts';

const MAX_MODEL = 256;
const MAX_SLOWER_MS = 86_400_000;
const filterUuid = uuid.optional().meta({ type: 'string', format: 'uuid' });

/** Query parameters of the list of turns. */
export const turnsQuery = z.object({
  since: time.optional().meta({ description: 'Turns that began then or later.' }),
  until: time.optional().meta({ description: 'Turns that began before.' }),
  status: z.enum(TURN_STATUSES).optional(),
  error_code: z.string().max(64).optional().meta({ description: 'Turns that failed with this code, in any spelling of it.' }),
  key_id: filterUuid,
  connection_id: filterUuid,
  workspace_id: filterUuid,
  model: z.string().max(MAX_MODEL).optional().meta({ description: 'Turns that this model answered or, before that, was asked for.' }),
  slower_than: integerParam(0, MAX_SLOWER_MS).default(0).meta({
    type: 'integer',
    minimum: 0,
    default: 0,
    description: 'Turns that took so many milliseconds or more; running ones by their age.',
  }),
  limit: paging.limit,
  cursor: uuid.optional().meta({ type: 'string', description: '`next_cursor` of the page before.' }),
});

/** Returns a page of turns of all workspaces, newest first. @throws VALIDATION_ERROR for an unknown error code */
export async function listTurns(
  { query, principal }: Input<undefined, z.output<typeof turnsQuery>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof turnPage>>> {
  const request = {
    since: query.since === undefined ? undefined : new Date(query.since),
    until: query.until === undefined ? undefined : new Date(query.until),
    status: query.status ?? '',
    errorConditions: query.error_code === undefined ? [] : toConditions(query.error_code),
    keyId: query.key_id ?? '',
    connectionId: query.connection_id ?? '',
    workspaceId: query.workspace_id ?? '',
    model: query.model ?? '',
    slowerThanMs: query.slower_than,
    limit: query.limit,
    cursor: query.cursor ?? '',
  };
  const { turns, nextCursor } = await deps.clients.conversation.listTurns(request, { caller: principal });
  return { body: { turns: await toTurnStories(turns, principal, deps), next_cursor: nextCursor || null } };
}

/** Returns the conditions of an error code; several conditions may have the same code. */
function toConditions(code: string): string[] {
  const isCode = (other: string) => other.toLowerCase() === code.toLowerCase();
  const conditions = Object.entries(ERROR_CATALOGUE).flatMap(([condition, row]) =>
    [row.code, ...row.aliases].some(isCode) ? [condition] : [],
  );
  if (conditions.length > 0) return conditions;
  throw new GatewayError('VALIDATION_ERROR', 'error_code: no error has this code', { param: 'error_code' });
}
