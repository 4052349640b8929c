/** What can be summed by. */
export const GROUPINGS = ['day', 'hour', 'model', 'key', 'connection', 'workspace'] as const;
/** What can be drawn. */
export const MEASURES = ['requests', 'tokens', 'audio', 'latency', 'first_token'] as const;
export type Measure = (typeof MEASURES)[number];
/** Of what: the workspace, the person's own work in it, or all workspaces. */
export const USAGE_SCOPES = ['workspace', 'own', 'all'] as const;
export type UsageScope = (typeof USAGE_SCOPES)[number];
