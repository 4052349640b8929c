import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { settleTables } from '../stored/settle-tables.ts';
import { type ConsoleOptions } from './options.ts';
import { type Visitor } from './visitor.ts';

const TABLES = ['edge.api_keys', 'conversation.conversations', 'conversation.messages', 'routing.connections'];
/** Rows that go into one write. */
const GATHERED = 1000;
const WORDS = ['harbour', 'lantern', 'meadow', 'orchard', 'quarry', 'river', 'summit', 'timber', 'valley', 'willow'];

/** A row of COPY's text format: null, text, number, and a list of texts. https://www.postgresql.org/docs/current/sql-copy.html */
type Cell = string | number | null | readonly string[];

/** One line of COPY's text format. */
export function copyLine(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join('\t')}\n`;
}

function cellText(cell: Cell): string {
  if (cell === null) return '\\N';
  if (typeof cell === 'object') return escaped(`{${cell.map((item) => `"${item}"`).join(',')}}`);
  return escaped(String(cell));
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}

/** A UUID that is the same for the same number, with the time of its row first. */
function idOf(kind: string, n: number, at: Date): string {
  const digest = createHash('md5').update(`${kind} ${n}`).digest('hex');
  const time = at.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${digest.slice(0, 3)}-8${digest.slice(3, 6)}-${digest.slice(6, 18)}`;
}

const words = (n: number) => `${WORDS[n % 10] ?? ''} ${WORDS[Math.floor(n / 10) % 10] ?? ''} ${n}`;

/** Fills the database of a gateway with what a visitor sees. Gives the id of the conversation with the longest message. */
export async function fillConsole(
  databaseUrl: string,
  visitor: Visitor,
  options: ConsoleOptions,
  say: (line: string) => void,
): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('SET synchronous_commit = off');
  const now = Date.now();
  // One a second into the past, so that an order by time is one by number too.
  const at = (n: number) => new Date(now - n * 1000);
  const { workspaceId, userId, keyId } = visitor;
  say(`console: ${options.keys} keys`);
  await copy(client, 'edge.api_keys (id, workspace_id, user_id, name, prefix, hash, scopes, created_at)', options.keys, (n) => {
    const hash = createHash('sha256').update(`key ${n}`).digest('hex');
    return [
      idOf('key', n, at(n)),
      workspaceId,
      userId,
      words(n),
      `gmk_live_${hash.slice(0, 8)}`,
      `\\x${hash}`,
      ['chat', 'conversations'],
      at(n).toISOString(),
    ];
  });
  say(`console: ${options.conversations} conversations`);
  const conversation = (n: number) => idOf('conversation', n, at(n));
  await copy(
    client,
    'conversation.conversations (id, workspace_id, owner_key_id, owner_user_id, title, upstream_account_id, model, message_count, last_message_at, created_at, updated_at)',
    options.conversations,
    (n) => {
      const time = at(n).toISOString();
      return [conversation(n), workspaceId, keyId, userId, words(n), 'bench', 'auto', 2, time, time, time];
    },
  );
  await copy(
    client,
    'conversation.messages (id, conversation_id, sequence, position, role, content, created_at)',
    2 * options.conversations,
    (n) => {
      const [of, position] = [Math.floor(n / 2), n % 2];
      const isLong = of === 0 && position === 1;
      const content = isLong ? longText(options.message) : `${position === 0 ? 'What of' : 'This of'} ${words(of)}?`;
      return [
        idOf('message', n, at(of)),
        conversation(of),
        0,
        position,
        position === 0 ? 'user' : 'assistant',
        content,
        at(of).toISOString(),
      ];
    },
  );
  say(`console: ${options.connections} connections`);
  await copy(client, 'routing.connections (id, workspace_id, label, provider, base_url, account, models)', options.connections, (n) => [
    ...[idOf('connection', n, at(n)), workspaceId, `${WORDS[n % 10] ?? ''}-${n}`, 'openai-compatible', 'http://127.0.0.1:9', ''],
    ['a-model'],
  ]);
  await settleTables(client, TABLES);
  await client.end();
  return conversation(0);
}

async function copy(client: pg.Client, into: string, count: number, row: (n: number) => readonly Cell[]): Promise<void> {
  function* lines(): Generator<string> {
    for (let from = 0; from < count; from += GATHERED) {
      const rows = Array.from({ length: Math.min(GATHERED, count - from) }, (_, index) => copyLine(row(from + index)));
      yield rows.join('');
    }
  }
  await pipeline(Readable.from(lines()), client.query(copyFrom(`COPY ${into} FROM STDIN`)));
}

/** Markdown of so many characters: headings, paragraphs and code, as a long answer has them. */
function longText(characters: number): string {
  const part = (n: number) =>
    `## Part ${n}\n\n${`The ${words(n)} is described here. `.repeat(12)}\n\n\`\`\`ts\nconst part = ${n};\n\`\`\`\n\n`;
  const parts: string[] = [];
  for (let length = 0, n = 0; length < characters; n++) {
    const text = part(n);
    parts.push(text);
    length += text.length;
  }
  return parts.join('').slice(0, characters);
}
