import { type z } from 'zod';
import { type RouteDeps } from '../../deps.ts';
import { UPSTREAM_TIMEOUT_MS } from '../../fields.ts';
import { type Input, type Reply } from '../../route.ts';
import { type sourceParams } from '../fields.ts';

/** Removes a file from a project, in the gateway and at its upstream. */
export async function deleteProjectFile(
  { principal, params }: Input<z.output<typeof sourceParams>>,
  { clients }: RouteDeps,
): Promise<Reply<undefined>> {
  const request = { projectId: params.project_id, sourceId: params.source_id };
  await clients.asset.deleteProjectFile(request, { caller: principal, deadlineMs: UPSTREAM_TIMEOUT_MS });
  return { body: undefined };
}
