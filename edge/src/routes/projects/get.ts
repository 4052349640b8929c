import { type z } from 'zod';
import { type projectDetail, toProjectDetail } from '../../wire/project.ts';
import { type RouteDeps } from '../deps.ts';
import { type Input, type Reply } from '../route.ts';
import { type projectParams } from './fields.ts';

/** Returns a project with its files. */
export async function getProject(
  { principal, params }: Input<z.output<typeof projectParams>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof projectDetail>>> {
  return { body: toProjectDetail(await clients.chatRouting.getProject({ projectId: params.project_id }, { caller: principal })) };
}
