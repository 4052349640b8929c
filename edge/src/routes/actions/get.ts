import { type z } from 'zod';
import { type actionDetail, toActionDetail } from '../../wire/action.ts';
import { type RouteDeps } from '../deps.ts';
import { type Input, type Reply } from '../route.ts';
import { type actionParams } from './fields.ts';

/** Returns an action with its inputs and outputs. */
export async function getAction(
  { principal, params }: Input<z.output<typeof actionParams>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof actionDetail>>> {
  return { body: toActionDetail(await clients.actions.getAction(params, { caller: principal })) };
}
