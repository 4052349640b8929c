import { type z } from 'zod';
import { type projectSource, toProjectSource } from '../../../wire/project.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { sendUpload } from '../../uploads.ts';
import { type projectParams } from '../fields.ts';

/** Adds a file to a project, in the gateway and at its upstream. */
export async function createProjectFile(
  { principal, params, req }: Input<z.output<typeof projectParams>>,
  { clients, config }: RouteDeps,
): Promise<Reply<z.input<typeof projectSource>>> {
  const source = await sendUpload({
    req,
    caller: principal,
    config,
    head: (file) => ({ projectId: params.project_id, file }),
    method: (frames, init) => clients.asset.uploadProjectFile(frames, init),
  });
  return { body: toProjectSource(source) };
}
