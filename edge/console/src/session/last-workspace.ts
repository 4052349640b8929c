const STORED = 'parley.workspace';

/** For the next visit. */
export function rememberWorkspace(workspaceId: string): void {
  localStorage.setItem(STORED, workspaceId);
}

/** The workspace of the last visit, or the first one; undefined for who is a member of none. */
export function findLastWorkspace(workspaces: readonly { id: string }[]): string | undefined {
  const last = localStorage.getItem(STORED);
  return (workspaces.find(({ id }) => id === last) ?? workspaces[0])?.id;
}
