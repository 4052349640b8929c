/** The workspace that exists from the first start; the bootstrap key and the embedded sandbox accounts belong to it. */
export const DEFAULT_WORKSPACE_ID = '01900000-0000-7000-8000-000000000001';

/** The user who owns the bootstrap key. */
export const DEFAULT_USER_ID = '01900000-0000-7000-8000-000000000002';

/** The accounts of the embedded sandbox upstream. They are not secret: the sandbox listens on loopback and holds test data only. */
export const SANDBOX_ACCOUNTS = [
  { label: 'sandbox-a', account: 'ada', password: 'sandbox-ada', tier: 'plus' },
  { label: 'sandbox-b', account: 'bob', password: 'sandbox-bob', tier: 'plus' },
] as const;
