/** The PostgreSQL schema of this service. */
export const SCHEMA = 'usage';

/** Its migrations; the path is the same from `src` and `dist`. */
export const MIGRATIONS = new URL('../../prisma/migrations/', import.meta.url);
