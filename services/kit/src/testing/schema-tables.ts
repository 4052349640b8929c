/** Columns of a table by name: SQL type, with `?` when it may be null. */
export type Tables = Record<string, Record<string, string>>;

const TYPES: Record<string, string> = {
  String: 'text',
  Int: 'int4',
  BigInt: 'int8',
  Float: 'float8',
  Boolean: 'bool',
  DateTime: 'timestamp',
  Bytes: 'bytea',
  Json: 'jsonb',
};
const NATIVE: Record<string, string> = {
  Uuid: 'uuid',
  Timestamptz: 'timestamptz',
  Text: 'text',
  VarChar: 'varchar',
  Json: 'json',
  JsonB: 'jsonb',
  SmallInt: 'int2',
  Date: 'date',
};

/** Returns the tables that a schema.prisma describes: scalar fields only, as relations have no columns. */
export function readPrismaTables(schema: string): Tables {
  const models = schema.matchAll(/^model (\w+) \{$([\s\S]*?)^\}$/gm);
  return Object.fromEntries(
    [...models].map(([, name = '', body = '']) => {
      const table = /@@map\("(\w+)"\)/.exec(body)?.[1] ?? name;
      return [table, Object.fromEntries(body.split('\n').flatMap(toColumn))];
    }),
  );
}

function toColumn(line: string): [string, string][] {
  const [, field, type, list, optional] = /^\s+(\w+)\s+(\w+)(\[\])?(\?)?/.exec(line) ?? [];
  const scalar = TYPES[type ?? ''];
  if (!field || !scalar) return [];
  const native = NATIVE[/@db\.(\w+)/.exec(line)?.[1] ?? ''] ?? scalar;
  return [[/@map\("(\w+)"\)/.exec(line)?.[1] ?? field, `${list ? '_' : ''}${native}${optional ?? ''}`]];
}

/** Runs SQL; a `pg` pool or client. */
interface Sql {
  query<Row extends object>(text: string, values: unknown[]): Promise<{ rows: Row[] }>;
}

/** Returns the tables of a schema of the database, without those of the migrations. */
export async function readDatabaseTables(sql: Sql, schema: string): Promise<Tables> {
  const { rows } = await sql.query<{ table: string; column: string; type: string }>(
    `SELECT c.relname AS table, a.attname AS column, t.typname || CASE WHEN a.attnotnull THEN '' ELSE '?' END AS type
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid
     WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped AND c.relname NOT LIKE '\\_%'`,
    [schema],
  );
  const tables: Tables = {};
  for (const { table, column, type } of rows) (tables[table] ??= {})[column] = type;
  return tables;
}

/** Returns the keys, unique and plain indexes that a schema.prisma declares, as `table(columns)`. */
export function readPrismaIndexes(schema: string): string[] {
  const models = [...schema.matchAll(/^model (\w+) \{$([\s\S]*?)^\}$/gm)];
  return models
    .flatMap(([, name = '', body = '']) => {
      const table = /@@map\("(\w+)"\)/.exec(body)?.[1] ?? name;
      const columnOf = (field: string) => new RegExp(`^\\s+${field}\\s.*@map\\("(\\w+)"\\)`, 'm').exec(body)?.[1] ?? field;
      const single = [...body.matchAll(/^\s+(\w+)\s.*@(?:id|unique)\b/gm)].map(([, field = '']) => [field]);
      const several = [...body.matchAll(/@@(?:id|unique|index)\(\[(.*?)\](?:,|\)$)/gm)].map(([, fields = '']) =>
        fields.split(',').map((field) => field.replace(/\(.*\)/, '').trim()),
      );
      return [...single, ...several].map((fields) => `${table}(${fields.map(columnOf).join(', ')})`);
    })
    .sort();
}

/** Returns the indexes of a schema of the database, in the same form; without partial ones, which Prisma cannot declare. */
export async function readDatabaseIndexes(sql: Sql, schema: string): Promise<string[]> {
  const { rows } = await sql.query<{ index: string }>(
    `SELECT c.relname || '(' || string_agg(a.attname, ', ' ORDER BY k.place) || ')' AS index
     FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
     CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (number, place)
     JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
     WHERE c.relnamespace = $1::regnamespace AND i.indpred IS NULL AND c.relname NOT LIKE '\\_%'
     GROUP BY i.indexrelid, c.relname`,
    [schema],
  );
  return rows.map(({ index }) => index).sort();
}
