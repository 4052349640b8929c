import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Logger } from '@parley/kit/log/logger';
import { GatewayError } from '@parley/protos/errors';
import { type EdgeConfig } from '../config.ts';
import { auditStatement } from '../store/audit-log.ts';
import { type Database, runQuery } from '../store/client.ts';
import { hasOwner, lockOwners } from '../store/owners.ts';
import { FIRST_OWNER_MEMBERSHIP, insertPerson } from '../store/people.ts';
import { type PasswordHasher } from './password-hasher.ts';
import { requireStrongPassword } from './require-strong-password.ts';

/** Dependencies of `createInitialOwner`. */
export interface InitialOwnerDeps {
  config: Pick<EdgeConfig, 'initAdmin' | 'instance'>;
  database: Database;
  passwords: PasswordHasher;
  log: Logger;
}

/**
 * Creates the first owner from PARLEY_INIT_ADMIN_EMAIL and PARLEY_INIT_ADMIN_PASSWORD when there is no owner; afterwards the variables have
 * no effect. Safe when many edges start at once.
 * @throws Error with a one-line message when the password is not acceptable
 */
export async function createInitialOwner({ config: { initAdmin, instance }, database, passwords, log }: InitialOwnerDeps): Promise<void> {
  if (!initAdmin || (await hasOwner(database))) return;
  const { email } = initAdmin;
  await requireStrongPassword(initAdmin.password, { email, param: 'PARLEY_INIT_ADMIN_PASSWORD' }).catch((error: unknown) => {
    throw error instanceof GatewayError ? new Error(`PARLEY_INIT_ADMIN_PASSWORD: ${error.message}`) : error;
  });
  const passwordHash = await passwords.hash(initAdmin.password);
  const id = uuidv7();
  const details = { instance_role: 'owner', workspace_role: 'owner', by: 'environment' };
  const made = database.$transaction(async (tx) => {
    await lockOwners(tx);
    if (await hasOwner(tx)) return;
    await insertPerson(tx, { id, displayName: 'Owner', email, passwordHash, instanceRole: 'owner', membership: FIRST_OWNER_MEMBERSHIP });
    const entry = {
      actor: 'system',
      action: 'user.create',
      workspaceId: FIRST_OWNER_MEMBERSHIP.workspaceId,
      targetId: id,
      requestId: instance,
    };
    await auditStatement(tx, { ...entry, details });
  });
  try {
    await runQuery(made);
  } catch (error) {
    if (!(error instanceof GatewayError) || error.condition !== 'EMAIL_TAKEN') throw error;
    log.warn('PARLEY_INIT_ADMIN_EMAIL is the email of a person who is not the owner: no owner was made');
  }
}
