import { experimental_streamedQuery as streamedQuery, type QueryClient, queryOptions } from '@tanstack/react-query';
import { type components } from '../../../api/generated/me.ts';
import { fetchInWorkspace, getWorkspaceClient } from '../../../api/me.ts';
import { readProblem } from '../../../api/problem.ts';
import { type Page, unwrap, unwrapPage } from '../../../api/unwrap.ts';
import { workspaceQueryKey } from '../../../live/change-events.ts';
import { readRunEvents } from './run-events.ts';

/** A run of an action. */
export type Run = components['schemas']['ActionRun'];
/** Something that happened in a run. */
export type RunEvent = components['schemas']['ActionRunEvent'];
type RunStatus = Run['status'];

const PAGE = 50;

/** The key of the runs of an action; they move with the workspace's live stream. */
export function runsKey(workspaceId: string, slug: string, status?: RunStatus) {
  return [...workspaceQueryKey(workspaceId, 'action-runs'), 'list', slug, status ?? 'all'];
}

/** A page of the runs of an action, newest first. @throws Problem */
export function readRuns(workspaceId: string, slug: string, status: RunStatus | undefined, offset: number): Promise<Page<Run>> {
  const query = { limit: PAGE, offset, ...(status && { status }) };
  return unwrapPage(getWorkspaceClient(workspaceId).GET('/me/v1/actions/{slug}/runs', { params: { path: { slug }, query } }));
}

/** The newest runs of an action that need a review. */
export function runsInReviewQuery(workspaceId: string, slug: string) {
  return queryOptions({
    queryKey: runsKey(workspaceId, slug, 'needs_review').concat('newest'),
    queryFn: () => readRuns(workspaceId, slug, 'needs_review', 0),
  });
}

/** Identifies a run of an action in a workspace. */
export interface RunRef {
  workspaceId: string;
  slug: string;
  runId: string;
}

/** One run as it stands. */
export function runQuery({ workspaceId, slug, runId }: RunRef) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'action-runs'), 'one', slug, runId],
    queryFn: () =>
      unwrap(getWorkspaceClient(workspaceId).GET('/me/v1/actions/{slug}/runs/{run_id}', { params: { path: { slug, run_id: runId } } })),
  });
}

/**
 * What happened in a run, as it happens. Its key is none of the workspace's: a change of the run must not begin the stream again. When the stream has
 * ended, the run is read once more.
 */
export function runEventsQuery(place: RunRef) {
  const { workspaceId, slug, runId } = place;
  return queryOptions<RunEvent[]>({
    queryKey: ['action-run-events', workspaceId, slug, runId],
    queryFn: streamedQuery<RunEvent>({
      async *streamFn({ client, signal }) {
        yield* readRunEvents(place, signal);
        await refreshRun(client, place);
      },
    }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

async function refreshRun(queries: QueryClient, { workspaceId }: RunRef): Promise<void> {
  await queries.invalidateQueries({ queryKey: workspaceQueryKey(workspaceId, 'action-runs') });
}

/** What a run begins with. */
export interface NewRun {
  input: Record<string, unknown>;
  connectionId: string | undefined;
  /** The same for each attempt at one run, so that a lost answer is no second run. */
  idempotencyKey: string;
}

/** Begins a run, which is accepted when this resolves. @throws Problem */
export function startRun(workspaceId: string, slug: string, { input, connectionId, idempotencyKey }: NewRun): Promise<Run> {
  const body = { input, idempotency_key: idempotencyKey, ...(connectionId && { connection_id: connectionId }) };
  return unwrap(getWorkspaceClient(workspaceId).POST('/me/v1/actions/{slug}/runs', { params: { path: { slug } }, body }));
}

/** Uploads a file for one run; resolves to what an input takes. @throws Problem */
export async function uploadInput(workspaceId: string, slug: string, file: File): Promise<{ asset_id: string }> {
  const body = new FormData();
  body.set('file', file);
  const response = await fetchInWorkspace(workspaceId, `/me/v1/actions/${slug}/assets`, { method: 'POST', body });
  if (!response.ok) throw await readProblem(response);
  const { asset_id } = (await response.json()) as components['schemas']['ActionAsset'];
  return { asset_id };
}

/** Asks a run to end. @throws Problem */
export function cancelRun({ workspaceId, slug, runId }: RunRef): Promise<Run> {
  return unwrap(
    getWorkspaceClient(workspaceId).POST('/me/v1/actions/{slug}/runs/{run_id}/cancel', { params: { path: { slug, run_id: runId } } }),
  );
}
