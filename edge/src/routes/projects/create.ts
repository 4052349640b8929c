import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { type createdProject, MEMORY_POLICIES, toCreatedProject } from '../../wire/project.ts';
import { type RouteDeps } from '../deps.ts';
import { name, optionalUuid, UPSTREAM_TIMEOUT_MS } from '../fields.ts';
import { type Input, type Reply } from '../route.ts';
import { instructions } from './fields.ts';

/** The body of a new project; null means absent. */
export const createProjectBody = z
  .object({
    name,
    instructions: instructions.optional(),
    memory_policy: z
      .string()
      .nullish()
      .meta({ type: ['string', 'null'], enum: [...MEMORY_POLICIES, null], default: 'provider_default' }),
    upstream_account_id: optionalUuid.meta({ description: 'Chosen when it is absent.' }),
  })
  .meta({ id: 'NewProject' });

/** Creates a project, in the gateway and at its upstream; the workspace may select it at once. */
export async function createProject(
  { principal, body }: Input<undefined, undefined, z.output<typeof createProjectBody>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof createdProject>>> {
  const request = {
    name: body.name,
    instructions: body.instructions || undefined,
    memoryPolicy: policyOf(body.memory_policy ?? ''),
    upstreamAccountId: body.upstream_account_id ?? '',
  };
  return {
    body: toCreatedProject(await clients.chatRouting.createProject(request, { caller: principal, deadlineMs: UPSTREAM_TIMEOUT_MS })),
  };
}

/** Validates the memory policy, whose error has a separate code. @throws GatewayError INVALID_MEMORY_POLICY */
function policyOf(asked: string): string {
  const known: readonly string[] = ['', ...MEMORY_POLICIES];
  if (known.includes(asked)) return asked;
  throw new GatewayError('INVALID_MEMORY_POLICY', `memory_policy must be one of ${MEMORY_POLICIES.join(', ')}`, { param: 'memory_policy' });
}
