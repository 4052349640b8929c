import { Prisma } from '../generated/prisma/client.ts';

/** SQL: a text without differences of case, whatever the locale of the database is. Indexes of names have exactly this expression. */
export function foldSql(text: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`casefold(${text} COLLATE pg_unicode_fast)`;
}

/** SQL: the name and the email of a user `u`, as the index for searches has them. */
export const SEARCHED_OF_USER = Prisma.sql`(u.display_name || ' ' || coalesce(u.email, ''))`;

/**
 * SQL: true where a text has the searched one, in whatever case. What is too short for an index of trigrams is looked for at its beginning: a letter, or two
 * of ASCII.
 */
export function containsSql(text: Prisma.Sql, search: string): Prisma.Sql {
  const isShort = /^(?:[\0-\x7f]{1,2}|.)$/u.test(search);
  return Prisma.sql`${foldSql(text)} LIKE ${foldSql(Prisma.sql`${`${isShort ? '' : '%'}${escapeLike(search)}%`}::text`)}`;
}

/** SQL: true where a text begins with the searched one, in this case. */
export function beginsWithSql(text: Prisma.Sql, search: string): Prisma.Sql {
  return Prisma.sql`${text} LIKE ${`${escapeLike(search)}%`}`;
}

/** A text of which a pattern of LIKE means every character. */
function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
