/** The workspace that exists from the first start; the bootstrap key and the embedded sandbox accounts belong to it. */
export const DEFAULT_WORKSPACE_ID = '01900000-0000-7000-8000-000000000001';

/** The user who owns the bootstrap key. */
export const DEFAULT_USER_ID = '01900000-0000-7000-8000-000000000002';
