/** The PostgreSQL schema of this service. */
export const SCHEMA = 'usage';

/** Its migrations, found from the sources and from the build alike. */
export const MIGRATIONS = new URL('../../prisma/migrations/', import.meta.url);
