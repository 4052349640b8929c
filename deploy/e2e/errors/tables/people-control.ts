import { call } from '../../harness/http.ts';
import { Operator } from '../../harness/operator.ts';
import { type Gateway } from '../../harness/parley.ts';
import { type Row } from '../row.ts';

/** Asks the control plane as a service account that only reads. */
async function asAuditor(gateway: Gateway) {
  const made = await new Operator(() => gateway).call('POST', '/service-accounts', { name: 'auditor', instance_role: 'auditor' });
  const { id, client_secret } = made.json as { id: string; client_secret: string };
  const exchanged = await call(gateway, 'POST', '/admin/v1/token', { body: { client_id: id, client_secret } });
  const { access_token: key } = exchanged.json as { access_token: string };
  return call(gateway, 'POST', '/admin/v1/workspaces', { key, body: { name: 'Lab' } });
}

/** Errors of the control plane. */
export const CONTROL_PLANE_ERRORS: readonly Row[] = [
  [
    'INVALID_ADMIN_TOKEN',
    'the operator key where a token is needed',
    (gateway) => call(gateway, 'GET', '/admin/v1/keys', { key: gateway.operatorKey }),
  ],
  ['PERMISSION_DENIED', 'a role that only reads', asAuditor, { param: 'workspaces.create' }],
];
