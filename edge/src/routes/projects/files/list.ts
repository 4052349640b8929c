import { type z } from 'zod';
import { getLinkWriter } from '../../../wire/link-writer.ts';
import { type projectSource, toProjectSource } from '../../../wire/project.ts';
import { type RouteDeps } from '../../deps.ts';
import { wholeListHeaders } from '../../paging.ts';
import { type Input, type Reply } from '../../route.ts';
import { type projectParams } from '../fields.ts';

/** Returns all files of a project. */
export async function listProjectFiles(
  { principal, params }: Input<z.output<typeof projectParams>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof projectSource>[]>> {
  const id = params.project_id;
  const { sources } = await clients.chatRouting.listProjectSources({ projectId: id }, { caller: principal });
  return {
    body: sources.map(toProjectSource),
    headers: wholeListHeaders(`/v1/projects/${id}/files`, sources.length, getLinkWriter(principal)),
  };
}
