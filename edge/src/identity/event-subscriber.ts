import { type Rights } from '../config/roles.ts';
import { type ResourceChange, type FinishedWork } from '../watch/feed-decoders.ts';
import { hasPermission, type Permission } from './permissions.ts';

/** A person who subscribes to changes, and what they may see. */
export interface EventSubscriber {
  userId: string;
  rights: Rights;
  /** Ids of the API keys of the person. */
  keyIds: ReadonlySet<string>;
  /** The id of a workspace, `all` for a role for the gateway, or undefined for the workspaces that the person is a member of. */
  workspace: string | undefined;
}

/** The permission for changes of other people's resources, by kind. */
const PERMISSION_OF: Readonly<Record<ResourceChange['kind'], Permission>> = {
  connection: 'connections.read',
  conversation: 'conversations.export',
  asset: 'data.read',
  project: 'data.read',
  // These belong to the workspace.
  speech_job: 'data.read',
  action_run: 'data.read',
};

/** True when the subscriber receives changes of this workspace. */
function watches({ workspace, rights }: EventSubscriber, workspaceId: string): boolean {
  if (workspace === 'all') return true;
  if (workspace !== undefined) return workspace === workspaceId;
  return rights.memberships.some((one) => one.workspaceId === workspaceId);
}

/** True when the subscriber may see a change: it concerns the subscriber, or the role of the subscriber permits it. */
export function canSeeChange(viewer: EventSubscriber, { kind, workspaceId, userIds, keyId }: ResourceChange): boolean {
  if (!watches(viewer, workspaceId)) return false;
  const isOwn = userIds?.includes(viewer.userId) ?? (keyId !== undefined && viewer.keyIds.has(keyId));
  if (isOwn && hasPermission(viewer.rights, 'data.read', workspaceId)) return true;
  // Changes that name their users are never shown to others.
  return userIds === undefined && hasPermission(viewer.rights, PERMISSION_OF[kind], workspaceId);
}

/** Returns the counted work that the subscriber may see: their own, and all work of a workspace whose usage they may read. */
export function filterVisibleCounts(viewer: EventSubscriber, counted: readonly FinishedWork[]): readonly FinishedWork[] {
  return counted.filter(
    ({ workspaceId, keyId }) =>
      watches(viewer, workspaceId) && (viewer.keyIds.has(keyId) || hasPermission(viewer.rights, 'usage.read', workspaceId)),
  );
}
