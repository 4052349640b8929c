import { type Bus } from '@parley/kit/bus/bus';
import { type Disposables } from '@parley/kit/lifecycle/disposables';
import { startRecurringTask } from '@parley/kit/lifecycle/recurring-task';
import { type Logger } from '@parley/kit/log/logger';
import { SecretBox } from '@parley/kit/secrets/secret-box';
import { NOTICES } from '@parley/protos/subjects';
import { type EdgeConfig } from '../config.ts';
import { LastUsedRecorder } from '../keys/last-used-recorder.ts';
import { type CacheTimes } from '../keys/record-cache.ts';
import { type ClientAddressResolver } from '../middleware/client-address.ts';
import { type OperatorKeyLimiter } from '../middleware/operator-key-limiter.ts';
import { type Database } from '../store/client.ts';
import { getInstanceId } from '../store/instance.ts';
import { saveKeysLastUsed } from '../store/keys.ts';
import { findPersonalKey, type MembershipKey } from '../store/personal-keys.ts';
import { findServiceAccountRecord } from '../store/service-accounts.ts';
import { findSession, findSessionById, saveSessionsLastSeen } from '../store/sessions.ts';
import { sweepSignIns } from '../store/sign-in-sweep.ts';
import { addSigningKey, listSigningKeys } from '../store/signing-keys.ts';
import { AdminAccess } from './admin-access.ts';
import { AdminTokens } from './admin-tokens.ts';
import { createInitialOwner } from './create-initial-owner.ts';
import { Oidc } from './oidc/oidc.ts';
import { OperatorCredential } from './operator-credential.ts';
import { PasswordHasher } from './password-hasher.ts';
import { PersonalKeys } from './personal-keys.ts';
import { Sessions } from './sessions.ts';
import { SignInDelay } from './sign-in-delay.ts';
import { SigningKeys } from './signing-keys.ts';
import { TokenRightsResolver } from './token-rights-resolver.ts';

const SWEEP_MS = 3_600_000;

/** What the operations on people need: sessions, credentials, and the tokens of the control plane. */
export interface IdentityServices {
  sessions: Sessions;
  /** Hashes and verifies passwords. */
  passwords: PasswordHasher;
  /** Delays sign-in attempts after failed ones. */
  signInDelay: SignInDelay;
  /** Sign-ins with OpenID Connect providers. */
  oidc: Oidc;
  /** The hidden keys with which people call the operations of `/v1`. */
  personalKeys: PersonalKeys;
  /** Encrypts the stored secrets of second factors, providers and signing keys. */
  secrets: SecretBox;
  clientAddress: ClientAddressResolver;
  /** The control plane: its tokens, the keys that sign them, the authentication of callers, and the operator key. */
  adminTokens: AdminTokens;
  signingKeys: SigningKeys;
  adminAccess: AdminAccess;
  operator: OperatorCredential;
  /** Limits how many credentials one address may try. */
  operatorKeys: OperatorKeyLimiter;
  /** Removes the cached records about a session, a person, a service account or a workspace with this id. */
  invalidate(id: string): void;
}

/** Dependencies of `openIdentityServices`. */
export interface IdentityServicesDeps {
  config: EdgeConfig;
  database: Database;
  bus: Pick<Bus, 'onNotice' | 'onConnected'>;
  clientAddress: ClientAddressResolver;
  operatorKeys: OperatorKeyLimiter;
  times: Partial<CacheTimes> | undefined;
  log: Logger;
}

/**
 * Opens the identity services of the edge and creates the first owner when one is configured. Their caches are invalidated by notices of
 * other edges.
 */
export async function openIdentityServices(deps: IdentityServicesDeps, parts: Disposables): Promise<IdentityServices> {
  const { config, database, bus, clientAddress, operatorKeys, times, log } = deps;
  const passwords = new PasswordHasher();
  await createInitialOwner({ config, database, passwords, log });
  const lastSeen = parts.adopt(new LastUsedRecorder((uses) => saveSessionsLastSeen(database, uses), log), (uses) => uses.stop());
  const sessions = new Sessions({ find: (digest) => findSession(database, digest), config, clientAddress, lastSeen, times });
  const keyUses = parts.adopt(new LastUsedRecorder((uses) => saveKeysLastUsed(database, uses), log), (uses) => uses.stop());
  const find = (of: MembershipKey) => findPersonalKey(database, of, config.quotas);
  const personalKeys = new PersonalKeys({ find, lastUsed: keyUses, times });
  const secrets = new SecretBox(config.secretKeys);
  const { holders, ...controlPlane } = openControlPlane(deps, sessions, secrets);
  const caches = [sessions, personalKeys, holders];
  const invalidate = (id: string) => {
    for (const cache of caches) cache.invalidate(id);
  };
  parts.defer(bus.onNotice(NOTICES.keyChanged, (bytes) => invalidate(Buffer.from(bytes).toString())));
  // A revocation may have been published while the broker was unavailable.
  parts.defer(
    bus.onConnected(() => {
      for (const cache of caches) cache.clearCache();
    }),
  );
  startSweep(database, log, parts);
  return {
    sessions,
    personalKeys,
    passwords,
    signInDelay: new SignInDelay(database, clientAddress),
    oidc: new Oidc({ config, database, secrets }),
    secrets,
    clientAddress,
    operatorKeys,
    ...controlPlane,
    invalidate,
  };
}

/** Deletes expired sessions and links every hour. */
function startSweep(database: Database, log: Logger, parts: Disposables): void {
  const sweep = async (signal: AbortSignal) => {
    const swept = await sweepSignIns(database, signal);
    if (swept > 0) log.info({ swept }, 'ended sessions and links deleted');
  };
  const failed = (err: unknown) => log.warn({ err }, 'ended sessions and links could not be deleted');
  parts.adopt(startRecurringTask(sweep, { everyMs: SWEEP_MS, failed }), (sweeper) => sweeper.stop());
}

function openControlPlane({ config, database, clientAddress, times, log }: IdentityServicesDeps, sessions: Sessions, secrets: SecretBox) {
  const operator = new OperatorCredential(config.operatorKey, secrets);
  const signingKeys = new SigningKeys({
    list: () => listSigningKeys(database),
    add: (make) => addSigningKey(database, make),
    secrets,
    log,
  });
  const adminTokens = new AdminTokens({ keys: signingKeys, instanceId: () => getInstanceId(database) });
  const holders = new TokenRightsResolver({
    findSession: (id) => findSessionById(database, id),
    findServiceAccount: (id) => findServiceAccountRecord(database, id),
    ...{ sessions, operator, times },
  });
  const adminAccess = new AdminAccess({ tokens: adminTokens, holders, clientAddress });
  return { operator, signingKeys, adminTokens, holders, adminAccess };
}
