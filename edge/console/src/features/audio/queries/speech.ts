import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type components } from '../../../api/generated/me.ts';
import { fetchInWorkspace, getWorkspaceClient } from '../../../api/me.ts';
import { asProblem, readProblem } from '../../../api/problem.ts';
import { unwrap, unwrapPage } from '../../../api/unwrap.ts';
import { workspaceQueryKey, speechJobKey } from '../../../live/change-events.ts';

export type SpeechJob = components['schemas']['AudioJob'];
export type NewSpeech = components['schemas']['NewSpeech'];
export type NewSpeechJob = components['schemas']['NewAudioJob'];
export type SpeechProvider = components['schemas']['AudioProvider'];
export type ProviderCapabilities = components['schemas']['AudioProviderCapabilities'];
export type Voice = components['schemas']['Voice'];

/** What speaks for a workspace; which of them can depends on its connections. */
export function providersQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'connections'), 'speech-providers'],
    queryFn: () => unwrap(getWorkspaceClient(workspaceId).GET('/me/v1/audio/providers')),
  });
}

/** What a provider can do. */
export function capabilitiesQuery(workspaceId: string, provider: string) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'connections'), 'speech-providers', provider, 'capabilities'],
    queryFn: () =>
      unwrap(getWorkspaceClient(workspaceId).GET('/me/v1/audio/providers/{provider}/capabilities', { params: { path: { provider } } })),
  });
}

/** The voices of a provider. */
export function voicesQuery(workspaceId: string, provider: string) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'connections'), 'speech-providers', provider, 'voices'],
    queryFn: () =>
      unwrap(getWorkspaceClient(workspaceId).GET('/me/v1/audio/providers/{provider}/voices', { params: { path: { provider } } })),
  });
}

/** Synthesizes the speech of a short text. @throws Problem */
export async function synthesizeSpeech(workspaceId: string, speech: NewSpeech): Promise<Blob> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(speech) };
  const response = await fetchInWorkspace(workspaceId, '/me/v1/audio/speech', init).catch((cause: unknown) => {
    throw asProblem(cause);
  });
  if (!response.ok) throw await readProblem(response);
  return response.blob();
}

/** Key of a list of jobs; a change of any makes them fresh again. */
export function jobsKey(workspaceId: string, status: SpeechJob['status'] | undefined) {
  return [...workspaceQueryKey(workspaceId, 'speech-jobs'), 'list', status ?? 'all'];
}

const PAGE = 50;

/** The jobs after `offset`, newest first. @throws Problem */
export function readJobs(workspaceId: string, status: SpeechJob['status'] | undefined, offset: number) {
  return unwrapPage(
    getWorkspaceClient(workspaceId).GET('/me/v1/audio/generations', {
      params: { query: { limit: PAGE, offset, ...(status && { status }) } },
    }),
  );
}

/** One job as it stands. */
function jobQuery(workspaceId: string, jobId: string) {
  return queryOptions({
    queryKey: speechJobKey(workspaceId, jobId),
    queryFn: () =>
      unwrap(getWorkspaceClient(workspaceId).GET('/me/v1/audio/generations/{job_id}', { params: { path: { job_id: jobId } } })),
  });
}

/** Whether a speech job has not ended. */
export function isJobInProgress({ status }: SpeechJob): boolean {
  return !['completed', 'failed', 'cancelled'].includes(status);
}

/** A job as it stands: while it is in progress it is read by itself, so that its progress does not read the list again. */
export function useCurrentJob(workspaceId: string, known: SpeechJob): SpeechJob {
  const { data = known } = useQuery({ ...jobQuery(workspaceId, known.id), enabled: isJobInProgress(known) });
  return isJobInProgress(known) ? data : known;
}

/** Creates a speech job. */
export function useCreateSpeechJob(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewSpeechJob) => unwrap(getWorkspaceClient(workspaceId).POST('/me/v1/audio/generations', { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: workspaceQueryKey(workspaceId, 'speech-jobs') }),
  });
}

/** Cancels a job, or repeats a failed one as a new job. */
export function useJobCommand(workspaceId: string, command: 'cancel' | 'retry') {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (jobId: string) =>
      unwrap(getWorkspaceClient(workspaceId).POST(`/me/v1/audio/generations/{job_id}/${command}`, { params: { path: { job_id: jobId } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: workspaceQueryKey(workspaceId, 'speech-jobs') }),
  });
}
