import { type Call } from '@parley/kit/rpc/call';
import { type ListRunEventsRequest, type ListRunEventsResponse } from '@parley/protos/actions/v1/actions';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { requireAccessibleRun } from '../domain/access.ts';
import { hasEnded } from '../domain/run.ts';
import { readRunEvents, findRun } from '../store/read-runs.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;
/** Maximum of a stored sequence number (int4); no run has as many events. */
const MAX_SEQUENCE = 2_147_483_647;

/** Returns the events of a run, in order. @throws ACTION_RUN_NOT_FOUND, VALIDATION_ERROR */
export async function listRunEvents(
  { store: { database } }: Deps,
  request: ListRunEventsRequest,
  { caller }: Call,
): Promise<ListRunEventsResponse> {
  const { slug, id, limit } = request;
  if (limit > MAX_LIMIT) throw new GatewayError('VALIDATION_ERROR', `limit is more than ${MAX_LIMIT}`, { param: 'limit' });
  // Read before the events: a run that has ended by then has already written its last event.
  const run = requireAccessibleRun(await findRun(database, id), slug, caller);
  const after = Math.min(request.after, MAX_SEQUENCE);
  const events = await readRunEvents(database, run.id, { after, limit: limit || DEFAULT_LIMIT });
  return { events, complete: hasEnded(run.status) && (events.at(-1)?.sequence ?? after) >= run.sequence };
}
