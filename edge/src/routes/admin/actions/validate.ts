import { type z } from 'zod';
import { type actionValidation, toActionValidation } from '../../../wire/action-document.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { type actionDocumentBody, toActionDocument } from './document.ts';

/** Validates a document and returns its findings; changes nothing. */
export async function validateAction(
  { principal, body }: Input<undefined, undefined, z.output<typeof actionDocumentBody>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof actionValidation>>> {
  return { body: toActionValidation(await clients.actions.validateDocument(toActionDocument(body), { caller: principal })) };
}
