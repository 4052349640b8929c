import { type Caller } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';

/** Rejects callers with a key: data of all workspaces is only for the operator and for services. @throws TENANT_ACCESS_DENIED */
export function requireOperator({ keyId }: Caller): void {
  if (keyId !== '') throw new GatewayError('TENANT_ACCESS_DENIED', 'only the operator sees the turns of all workspaces');
}
