import { type Rights } from '../config/roles.ts';
import { type Change, type Counted } from '../watch/feed-event.ts';
import { may, type Permission } from './permissions.ts';

/** Who looks at changes. */
export interface Viewer {
  userId: string;
  rights: Rights;
  /** Ids of the keys of the person. */
  keyIds: ReadonlySet<string>;
  /** One workspace, `all` that a role for the gateway opens, or undefined for those the person is a member of. */
  workspace: string | undefined;
}

/** What one must be permitted to see changes of each kind that are not one's own. */
const PERMISSION_OF: Readonly<Record<Change['kind'], Permission>> = {
  connection: 'connections.read',
  conversation: 'conversations.export',
  asset: 'data.read',
  project: 'data.read',
  // They belong to the workspace.
  speech_job: 'data.read',
  action_run: 'data.read',
};

/** True when a workspace is among those that are looked at. */
function watches({ workspace, rights }: Viewer, workspaceId: string): boolean {
  if (workspace === 'all') return true;
  if (workspace !== undefined) return workspace === workspaceId;
  return rights.memberships.some((one) => one.workspaceId === workspaceId);
}

/** True when the viewer may know of a change: it is his own, or his role shows it. */
export function maySee(viewer: Viewer, { kind, workspaceId, userIds, keyId }: Change): boolean {
  if (!watches(viewer, workspaceId)) return false;
  const isOwn = userIds?.includes(viewer.userId) ?? (keyId !== undefined && viewer.keyIds.has(keyId));
  if (isOwn && may(viewer.rights, 'data.read', workspaceId)) return true;
  // Whose conversation it is, is nothing to show to others.
  return userIds === undefined && may(viewer.rights, PERMISSION_OF[kind], workspaceId);
}

/** The counted work that the viewer may know of: his own, and all of a workspace whose usage he may read. */
export function visibleCounts(viewer: Viewer, counted: readonly Counted[]): readonly Counted[] {
  return counted.filter(
    ({ workspaceId, keyId }) => watches(viewer, workspaceId) && (viewer.keyIds.has(keyId) || may(viewer.rights, 'usage.read', workspaceId)),
  );
}
