import { type Principal } from '../middleware/principal.ts';

/** Query parameters of a link; undefined ones are left out. */
export type LinkQuery = Readonly<Record<string, string | undefined>>;

/**
 * Writes a link to an operation that the client of the response can follow. Links are relative, so that no forged host can get into them.
 */
export type LinkWriter = (path: string, query?: LinkQuery) => string;

/** The query parameter with which a link under `/me` names the workspace. */
export const WORKSPACE_PARAM = 'workspace_id';

/** Writes a link with the path unchanged; used for callers with an API key. */
export const plainLink: LinkWriter = (path, query = {}) => {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, value);
  const text = params.toString();
  return text === '' ? path : `${path}?${text}`;
};

/**
 * Returns the link writer for a caller. Links of a person with a session stay under `/me` and name the workspace, because a browser that
 * follows a link sends its cookie but no custom header.
 */
export function getLinkWriter({ session, workspaceId }: Pick<Principal, 'session' | 'workspaceId'>): LinkWriter {
  if (!session) return plainLink;
  return (path, query) => plainLink(`/me${path}`, { [WORKSPACE_PARAM]: workspaceId, ...query });
}
