/** What the gateway takes for a slug. */
export const SLUG_PATTERN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Characters of a slug at most. */
export const MAX_SLUG_LENGTH = 64;
