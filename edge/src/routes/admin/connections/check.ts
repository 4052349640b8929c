import { ERROR_CATALOGUE } from '@parley/protos/error-catalogue';
import { isErrorCondition } from '@parley/protos/errors';
import { z } from 'zod';
import { adminConnection, toAdminConnection } from '../../../wire/connection.ts';
import { type RouteDeps } from '../../deps.ts';
import { UPSTREAM_TIMEOUT_MS } from '../../fields.ts';
import { recordChange } from '../../record-change.ts';
import { type Input, type Reply } from '../../route.ts';
import { withWorkspace } from '../callers.ts';
import { type idParams, type workspaceQuery } from '../fields.ts';

/** The result of the test of a connection. */
export const connectionTestResult = z
  .object({
    ok: z.boolean(),
    code: z.string().nullable().meta({ description: 'The error code a turn would get; null when all is well.' }),
    message: z.string(),
    models: z.array(z.string()),
    connection: adminConnection.nullable(),
  })
  .meta({ id: 'ConnectionTest' });

/** Tests a connection at its upstream. A failed test is a result with `ok: false`, not an error. */
export async function testConnection(
  { principal, params, query }: Input<z.output<typeof idParams>, z.output<typeof workspaceQuery>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof connectionTestResult>>> {
  const { ok, condition, message, models, connection } = await recordChange(principal, deps, {
    ...{ action: 'connection.test', workspaceId: query.workspace_id, targetId: params.id },
    make: () =>
      deps.clients.chatRouting.testConnection(
        { id: params.id },
        { caller: withWorkspace(principal, query.workspace_id), deadlineMs: UPSTREAM_TIMEOUT_MS },
      ),
    toAuditFields: ({ ok }) => ({ details: { ok } }),
  });
  return {
    body: { ok, code: ok ? null : codeOf(condition), message, models, connection: connection ? toAdminConnection(connection) : null },
  };
}

function codeOf(condition: string): string {
  return isErrorCondition(condition) ? ERROR_CATALOGUE[condition].code : ERROR_CATALOGUE.INTERNAL_ERROR.code;
}
