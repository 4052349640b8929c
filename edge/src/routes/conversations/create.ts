import { z } from 'zod';
import { type Principal } from '../../middleware/principal.ts';
import { findInternalProject } from '../../store/internal-projects.ts';
import { type createdConversation, toCreatedConversation } from '../../wire/conversation.ts';
import { type RouteDeps } from '../deps.ts';
import { optionalUuid } from '../fields.ts';
import { type Input, type Reply } from '../route.ts';
import { title } from './fields.ts';

/** The body of a new conversation; null means absent. */
export const createConversationBody = z
  .object({
    title: title.nullish().meta({ description: 'Generated from the first turn when it is absent or empty.' }),
    upstream_project_id: optionalUuid,
    upstream_account_id: optionalUuid.meta({ description: 'Chosen when it is absent.' }),
    model: z.string().trim().min(1, 'must not be empty').max(200, 'must have at most 200 characters').nullish().meta({ default: 'auto' }),
  })
  .meta({ id: 'NewConversation' });

/** Creates a conversation on a connection; it is created at the upstream with the first message. */
export async function createConversation(
  { principal, body }: Input<undefined, undefined, z.output<typeof createConversationBody>>,
  { clients, db }: RouteDeps,
): Promise<Reply<z.input<typeof createdConversation>>> {
  const upstreamProjectId = body.upstream_project_id ?? '';
  const needsProject = principal.project !== '' && upstreamProjectId === '' && (await requiresProject(db, principal));
  const request = {
    title: body.title ?? '',
    upstreamAccountId: body.upstream_account_id ?? '',
    upstreamProjectId,
    model: body.model ?? '',
    imported: [],
    ...(needsProject && { requireProject: true }),
  };
  return { body: toCreatedConversation(await clients.chatRouting.createConversation(request, { caller: principal })) };
}

/**
 * True when the internal project of the key requires an upstream project, as in chat, so that a conversation created first cannot bypass
 * the rule.
 */
async function requiresProject(db: RouteDeps['db'], { workspaceId, project }: Principal): Promise<boolean> {
  return (await findInternalProject(db, workspaceId, project))?.policy === 'require_project';
}
