import { hash } from 'node:crypto';
import { z } from 'zod';
import { getRequestContext } from '../../../middleware/request-context.ts';
import { type actionRun, toActionRun } from '../../../wire/action-run.ts';
import { type RouteDeps } from '../../deps.ts';
import { uuid } from '../../fields.ts';
import { idempotencyKeyField } from '../../idempotency-key.ts';
import { type Input, type Reply } from '../../route.ts';
import { type actionParams } from '../fields.ts';

/** The body of a new run; null means absent. */
export const createActionRunBody = z
  .object({
    input: z.record(z.string(), z.unknown()).meta({ description: 'The inputs by name; the details of the action describe them.' }),
    connection_id: uuid.nullish().meta({ description: 'The connection its steps use, for actions that require one.' }),
    idempotency_key: idempotencyKeyField.meta({ description: 'Same key and request: the same run; same key, other request: 422.' }),
  })
  .meta({ id: 'NewActionRun' });

/** Accepts a run and returns it; it is stored durably before the response. Its result shows in status and verdict. */
export async function createActionRun(
  { principal, params, body, req }: Input<z.output<typeof actionParams>, undefined, z.output<typeof createActionRunBody>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof actionRun>>> {
  const run = { slug: params.slug, input: JSON.stringify(body.input), connectionId: body.connection_id ?? '' };
  const requestDigest = hash('sha256', JSON.stringify([run.slug, run.input, run.connectionId]), 'buffer');
  const accepted = await clients.actions.createRun(
    { ...run, idempotencyKey: body.idempotency_key ?? '', requestDigest },
    { caller: principal },
  );
  // The actions service counts the run when it ends.
  getRequestContext(req).isCounted = true;
  return { body: toActionRun(accepted) };
}
