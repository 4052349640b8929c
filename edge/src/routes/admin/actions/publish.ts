import { type z } from 'zod';
import { writeAudit } from '../../../store/audit-log.ts';
import { type actionDetail, toActionDetail } from '../../../wire/action.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type actionDocument, toDocument } from './document.ts';

/** Makes a document what new runs of its action run: its next version, or the one it is already. */
export async function publishAction(
  { principal, body }: Input<undefined, undefined, z.output<typeof actionDocument>>,
  { clients, db }: RouteDeps,
): Promise<Reply<z.input<typeof actionDetail>>> {
  const action = await clients.actions.publishAction(toDocument(body), { caller: principal });
  const details = { version: action.version };
  await writeAudit(db, toAuditEntry(principal, { action: 'action.publish', workspaceId: undefined, targetId: action.slug, details }));
  return { body: toActionDetail(action) };
}
