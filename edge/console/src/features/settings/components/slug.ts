/** What the gateway takes for a slug. */
export const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Characters of a slug at most. */
export const MAX_SLUG = 64;
