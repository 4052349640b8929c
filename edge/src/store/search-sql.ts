import { Prisma } from '../generated/prisma/client.ts';

/** SQL: a text with its case folded, independent of the locale of the database. The indexes of names have exactly this expression. */
export function caseFoldSql(text: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`casefold(${text} COLLATE pg_unicode_fast)`;
}

/** SQL: name and email of a user `u`; the index for searches has exactly this expression. */
export const USER_SEARCH_SQL = Prisma.sql`(u.display_name || ' ' || coalesce(u.email, ''))`;

/**
 * SQL: true when a text contains `search`, ignoring case. A search that is too short for a trigram index (one character, or two of ASCII)
 * matches only the start of the text.
 */
export function containsSql(text: Prisma.Sql, search: string): Prisma.Sql {
  const isShort = /^(?:[\0-\x7f]{1,2}|.)$/u.test(search);
  return Prisma.sql`${caseFoldSql(text)} LIKE ${caseFoldSql(Prisma.sql`${`${isShort ? '' : '%'}${escapeLike(search)}%`}::text`)}`;
}

/** SQL: true when a text starts with `search`; case-sensitive. */
export function beginsWithSql(text: Prisma.Sql, search: string): Prisma.Sql {
  return Prisma.sql`${text} LIKE ${`${escapeLike(search)}%`}`;
}

/** Escapes the wildcards of LIKE in a text. */
function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
