import { type z } from 'zod';
import { type RouteDeps } from '../deps.ts';
import { UPSTREAM_TIMEOUT_MS } from '../fields.ts';
import { type Input, type Reply } from '../route.ts';
import { type projectParams } from './fields.ts';

/** Deletes a project, in the gateway and at its upstream; its conversations can still be read, but not continued. */
export async function deleteProject(
  { principal, params }: Input<z.output<typeof projectParams>>,
  { clients }: RouteDeps,
): Promise<Reply<undefined>> {
  await clients.chatRouting.deleteProject({ projectId: params.project_id }, { caller: principal, deadlineMs: UPSTREAM_TIMEOUT_MS });
  return { body: undefined };
}
