import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type components } from '../../../api/generated/me.ts';
import { meClient } from '../../../api/me.ts';
import { asProblem } from '../../../api/problem.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { refreshConnections } from './connection-mutations.ts';

/** A flow, with what it asks for now. */
export type ConnectFlow = components['schemas']['ConnectFlow'];
/** What a flow asks for. */
export type ConnectStep = NonNullable<ConnectFlow['step']>;
/** What a flow begins with: a provider, or a connection to reconnect. */
export type FlowStart = Omit<components['schemas']['NewConnectFlow'], 'workspace_id'>;
/** An answer to a step, or one of its actions. */
export type FlowAnswer = Partial<Omit<components['schemas']['ConnectAnswer'], 'step'>>;

/** What can be connected. Needs `connections.write`. */
export function connectProvidersQuery(workspaceId: string) {
  return queryOptions({
    queryKey: ['connect-providers', workspaceId],
    queryFn: () => unwrap(meClient.GET('/me/v1/connections/providers', { params: { query: { workspace_id: workspaceId } } })),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

const at = (workspaceId: string, flowId: string) => ({ path: { flow_id: flowId }, query: { workspace_id: workspaceId } });

/** Begins to connect or to reconnect an account. */
export function useBeginFlow(workspaceId: string) {
  return useMutation({
    mutationFn: (start: FlowStart) => unwrap(meClient.POST('/me/v1/connections/flows', { body: { workspace_id: workspaceId, ...start } })),
  });
}

/** Answers a step. Nothing of what was typed is kept here, whatever becomes of it. */
export function useAnswerFlow(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ flow, answer }: { flow: ConnectFlow; answer: FlowAnswer }) =>
      unwrap(
        meClient.POST('/me/v1/connections/flows/{flow_id}', {
          params: at(workspaceId, flow.id),
          body: { answers: {}, ...answer, step: flow.step?.number ?? 0 },
        }),
      ),
    onSuccess: ({ status }) => (status === 'done' ? refreshConnections(queries, workspaceId) : undefined),
    gcTime: 0,
  });
}

/** Where a flow stands now; undefined for one that is no more. */
export async function readFlow(workspaceId: string, flowId: string): Promise<ConnectFlow | undefined> {
  try {
    return await unwrap(meClient.GET('/me/v1/connections/flows/{flow_id}', { params: at(workspaceId, flowId) }));
  } catch (error) {
    if (asProblem(error).status === 404) return undefined;
    throw error;
  }
}

/** Cancels a flow; does nothing when it has ended. */
export async function cancelFlow(workspaceId: string, flowId: string): Promise<void> {
  await unwrap(meClient.DELETE('/me/v1/connections/flows/{flow_id}', { params: at(workspaceId, flowId) })).catch((error: unknown) => {
    // The flow ends by itself within minutes.
    if (asProblem(error).status === 0) return;
    if (asProblem(error).status !== 404) throw error;
  });
}
