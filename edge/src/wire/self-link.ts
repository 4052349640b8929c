import { type Principal } from '../middleware/principal.ts';

/** What the query of a link says; what is undefined is left out. */
export type LinkQuery = Readonly<Record<string, string | undefined>>;

/** Writes a link to an operation, as the client of an answer can follow it. Links are relative, so that no forged host can get into them. */
export type SelfLink = (path: string, query?: LinkQuery) => string;

/** The query parameter by which a link on the surface of people chooses the workspace. */
export const WORKSPACE_PARAM = 'workspace_id';

/** The path as it is. */
export const plainLink: SelfLink = (path, query = {}) => {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, value);
  const text = params.toString();
  return text === '' ? path : `${path}?${text}`;
};

/**
 * Links to operations of `/v1` for this caller: on the surface of people they stay there and name the workspace, because a browser that follows a
 * link sends its cookie and no header of ours.
 */
export function selfLinkOf({ session, workspaceId }: Pick<Principal, 'session' | 'workspaceId'>): SelfLink {
  if (!session) return plainLink;
  return (path, query) => plainLink(`/me${path}`, { [WORKSPACE_PARAM]: workspaceId, ...query });
}
