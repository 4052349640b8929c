import { type z } from 'zod';
import { type actionDetail, toActionDetail } from '../../../wire/action.ts';
import { type RouteDeps } from '../../deps.ts';
import { recordChange } from '../../record-change.ts';
import { type Input, type Reply } from '../../route.ts';
import { type actionDocumentBody, toActionDocument } from './document.ts';

/** Publishes a document as the next version of its action, or makes a version current that has this document already. New runs use it. */
export async function publishAction(
  { principal, body }: Input<undefined, undefined, z.output<typeof actionDocumentBody>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof actionDetail>>> {
  const action = await recordChange(principal, deps, {
    action: 'action.publish',
    make: () => deps.clients.actions.publishAction(toActionDocument(body), { caller: principal }),
    toAuditFields: ({ slug, version }) => ({ targetId: slug, details: { version } }),
  });
  return { body: toActionDetail(action) };
}
