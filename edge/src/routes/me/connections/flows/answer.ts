import { type ConnectFlow } from '@parley/protos/routing/v1/routing';
import { z } from 'zod';
import { type connectFlow, toConnectFlow } from '../../../../wire/connect-flow.ts';
import { withWorkspace } from '../../../admin/callers.ts';
import { type RouteDeps } from '../../../deps.ts';
import { UPSTREAM_TIMEOUT_MS } from '../../../fields.ts';
import { recordChange, type RemoteChange } from '../../../record-change.ts';
import { type Input, type Reply } from '../../../route.ts';
import { requireSession } from '../../require-session.ts';
import { type flowParams, type flowQuery } from './fields.ts';

const MAX_FIELDS = 20;
const fieldName = z.string().min(1).max(64);

/** The body of an answer: the values of a step, or an action instead of them. */
export const answerConnectFlowBody = z
  .object({
    step: z.int().min(0).max(10_000).meta({ description: '`number` of the step that is answered.' }),
    answers: z
      .record(fieldName, z.string().max(10_000))
      .refine((answers) => Object.keys(answers).length <= MAX_FIELDS, `must have at most ${MAX_FIELDS} fields`)
      .default({}),
    action: fieldName.optional(),
  })
  .meta({ id: 'ConnectAnswer' });

type AnswerInput = Input<z.output<typeof flowParams>, z.output<typeof flowQuery>, z.output<typeof answerConnectFlowBody>>;

/**
 * Answers the current step of a flow and returns its next state. After an error, the flow can be read again for the step that it now needs.
 */
export async function answerConnectFlow(
  { principal, params, query, body }: AnswerInput,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof connectFlow>>> {
  const { answers, action = '', step } = body;
  const flow = await recordChange(principal, deps, {
    // Only the result shows whether this answer was the last one.
    ...{ action: 'connect-flow.answer', workspaceId: query.workspace_id, targetId: params.flow_id, details: { step } },
    make: () =>
      deps.clients.chatRouting.answerConnectFlow(
        { id: params.flow_id, sessionId: requireSession(principal).sessionId, answers, action, step },
        { caller: withWorkspace(principal, query.workspace_id), deadlineMs: UPSTREAM_TIMEOUT_MS },
      ),
    toAuditFields: connected,
  });
  return { body: toConnectFlow(flow) };
}

/** Returns the audit entry of the last answer of a flow: the connection was created or reconnected. */
function connected({
  id: flow,
  connection,
  connectionId,
}: ConnectFlow): ReturnType<NonNullable<RemoteChange<ConnectFlow>['toAuditFields']>> {
  if (!connection) return {};
  const { id, provider, label } = connection;
  return { action: `connection.${connectionId === '' ? 'create' : 'reconnect'}`, targetId: id, details: { provider, label, flow } };
}
