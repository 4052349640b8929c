import { z } from 'zod';
import { type project, toProject } from '../../wire/project.ts';
import { type RouteDeps } from '../deps.ts';
import { name, UPSTREAM_TIMEOUT_MS } from '../fields.ts';
import { type Input, type Reply } from '../route.ts';
import { instructions, type projectParams } from './fields.ts';

/** The body of a change of a project. */
export const updateProjectBody = z
  .object({ name: name.optional(), instructions: instructions.optional() })
  .refine((body) => body.name !== undefined || body.instructions !== undefined, 'name or instructions is required')
  .meta({ id: 'ProjectChange' });

/** Renames a project or changes its instructions, in the gateway and at its upstream. */
export async function updateProject(
  { principal, params, body }: Input<z.output<typeof projectParams>, undefined, z.output<typeof updateProjectBody>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof project>>> {
  // Null removes the instructions.
  const newInstructions = body.instructions === null ? '' : body.instructions;
  const request = { projectId: params.project_id, name: body.name, instructions: newInstructions };
  return { body: toProject(await clients.chatRouting.updateProject(request, { caller: principal, deadlineMs: UPSTREAM_TIMEOUT_MS })) };
}
