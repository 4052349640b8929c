import { GatewayError } from '@parley/protos/errors';
import { type IncomingMessage } from 'node:http';
import { type LastUsedRecorder } from '../keys/last-used-recorder.ts';
import { type CacheTimes, RecordCache } from '../keys/record-cache.ts';
import { type Principal } from '../middleware/principal.ts';
import { getRequestContext } from '../middleware/request-context.ts';
import { type KeyRecord } from '../store/keys.ts';
import { type MembershipKey } from '../store/personal-keys.ts';
import { findChosenWorkspaceId } from './find-chosen-workspace-id.ts';
import { type Permission } from './permissions.ts';
import { permissionDenied, requirePermission } from './require-permission.ts';

/** Dependencies of `PersonalKeys`. */
export interface PersonalKeysDeps {
  /** Finds or creates the key of a person in a workspace; null when the person is not a member. */
  find: (of: MembershipKey) => Promise<KeyRecord | null>;
  /** Records that a key was used. */
  lastUsed: Pick<LastUsedRecorder, 'record'>;
  times?: Partial<CacheTimes> | undefined;
}

/**
 * The hidden keys with which signed-in people use the operations of `/v1`: one per person and workspace, whose secret is not stored. What a
 * person does is counted, limited and owned as if it was done with that key.
 */
export class PersonalKeys {
  readonly #cache: RecordCache<KeyRecord>;
  readonly #deps: PersonalKeysDeps;

  constructor(deps: PersonalKeysDeps) {
    this.#deps = deps;
    this.#cache = new RecordCache({
      find: (name) => deps.find(fromName(name)),
      subject: 'membership',
      idsOf: ({ keyId, userId, workspaceId }) => [keyId, userId, workspaceId],
      ...(deps.times && { times: deps.times }),
    });
  }

  /**
   * Returns a signed-in person as the caller of an operation in the workspace that the request chooses.
   * @throws GatewayError VALIDATION_ERROR, PERMISSION_DENIED (also for workspaces that do not exist), WORKSPACE_DISABLED or
   * SERVICE_UNAVAILABLE
   */
  async resolveCaller(person: Principal, permission: Permission, req: IncomingMessage): Promise<Principal> {
    const { userId, session } = person;
    const workspaceId = session && findChosenWorkspaceId(req, session.rights);
    const key = workspaceId === undefined ? null : await this.#cache.get(toName({ userId, workspaceId }));
    if (!key) throw permissionDenied(permission);
    if (key.workspaceStatus !== 'active') throw new GatewayError('WORKSPACE_DISABLED', 'the workspace is disabled');
    requirePermission(person, permission, workspaceId);
    this.#deps.lastUsed.record(key.keyId);
    const { keyId, scopes, maxConcurrency, project, quotas } = key;
    const principal = { ...person, workspaceId: key.workspaceId, keyId, scopes, maxConcurrency, project, quotas };
    getRequestContext(req).principal = principal;
    return principal;
  }

  /** Removes the cached keys of a key, a person or a workspace with this id. */
  invalidate(id: string): void {
    this.#cache.invalidate(id);
  }

  /** Removes all cached keys; called when change notices may have been missed. */
  clearCache(): void {
    this.#cache.clear();
  }
}

function toName({ userId, workspaceId }: MembershipKey): string {
  return `${userId}/${workspaceId}`;
}

function fromName(name: string): MembershipKey {
  const [userId = '', workspaceId = ''] = name.split('/');
  return { userId, workspaceId };
}
