/** What can be summed by. */
export const GROUPINGS = ['day', 'hour', 'model', 'key', 'connection', 'workspace'] as const;
/** What can be drawn. */
export const MEASURES = ['requests', 'tokens', 'audio', 'latency', 'first_token'] as const;
export type Measure = (typeof MEASURES)[number];
/** Scopes of a usage report: the workspace, the user's own usage in it, or all workspaces. */
export const USAGE_SCOPES = ['workspace', 'own', 'all'] as const;
export type UsageScope = (typeof USAGE_SCOPES)[number];
