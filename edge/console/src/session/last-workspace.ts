const STORED = 'parley.workspace';

/** For the next visit. */
export function rememberWorkspace(workspaceId: string): void {
  localStorage.setItem(STORED, workspaceId);
}

/** Finds the workspace of the last visit, or else the first one; undefined without a workspace. */
export function findLastWorkspace(workspaces: readonly { id: string }[]): string | undefined {
  const last = localStorage.getItem(STORED);
  return (workspaces.find(({ id }) => id === last) ?? workspaces[0])?.id;
}
