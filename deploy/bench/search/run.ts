import { startConversationServer } from '@parley/conversation/server';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { createLogger } from '@parley/kit/log/logger';
import { type Caller } from '@parley/kit/rpc/call';
import { type Stub, connect } from '@parley/kit/rpc/client';
import { ConversationServiceService } from '@parley/protos/conversation/v1/conversation';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startNats } from '../../local/embedded/nats.ts';
import { startPostgres } from '../../local/embedded/postgres.ts';
import { fillOwner } from './fill-owner.ts';

const log = createLogger({ service: 'bench', level: 'silent' });
const SEARCHES = 100;
const cacheDir = new URL('../../../../.parley/cache', import.meta.url).pathname;

/** Texts of the fill (`fill-owner.ts`): absent, rare, in one conversation of a hundred, in most conversations. */
const ABSENT = 'zzqqzzqq';
const QUERIES = [ABSENT, 'rare 00017', 'seldom', 'common', 'Zürich_1'];

/** Lists the first page for a text. */
const search = (stub: Stub<typeof ConversationServiceService>, caller: Caller, text: string) =>
  stub.listConversations(
    {
      statusFilter: '',
      search: text,
      pinnedOnly: false,
      destinationFilter: '',
      accountFilter: '',
      projectFilter: '',
      limit: 50,
      offset: 0,
    },
    { caller, deadlineMs: 30_000 },
  );

/** CPU time of PostgreSQL's processes and this one, in milliseconds. */
async function cpuMs(dataDir: string): Promise<number> {
  const [postmaster = ''] = (await readFile(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8')).split('\n');
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
  const { user, system } = process.cpuUsage();
  let sum = (user + system) / 1_000;
  for (const pid of children.trim().split(' ')) {
    const [spent = '0'] = (await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '0')).split(' ');
    sum += Number(spent) / 1e6;
  }
  return sum;
}

/** What each call took, in milliseconds: the time, and the CPU, which a busy machine changes less. */
interface Spent {
  wall: number[];
  cpu: number[];
}

async function measure(dataDir: string, times: number, ask: (index: number) => Promise<unknown>): Promise<Spent> {
  const spent: Spent = { wall: [], cpu: [] };
  for (let index = 0; index < times; index++) {
    const cpu = await cpuMs(dataDir);
    const began = performance.now();
    await ask(index);
    spent.wall.push(performance.now() - began);
    spent.cpu.push((await cpuMs(dataDir)) - cpu);
  }
  return spent;
}

/** A percentile as text. */
function at(values: readonly number[], share: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
}

const describe = ({ wall, cpu }: Spent, share: number) => `${at(wall, share)} ms (CPU ${at(cpu, share)})`;

/** Fills a database with owners who have so many messages, and prints what their searches and lists take. */
export async function runSearch(sizes: readonly number[], print: (line: string) => void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-search-'));
  const dataDir = join(folder, 'postgres');
  const postgres = await startPostgres({ dataDir, durable: false, log });
  const spend = (times: number, ask: (index: number) => Promise<unknown>) => measure(dataDir, times, ask);
  const nats = await startNats({ dataDir: join(folder, 'nats'), cacheDir, log });
  const config = { databaseUrl: postgres.url, natsUrl: nats.url, listen: 'in-process', logLevel: 'silent', instance: 'bench' } as const;
  const server = await startConversationServer(config, { log });
  const stub = connect(ConversationServiceService, server.address);
  const sql = new pg.Pool({ connectionString: postgres.url, max: 1, options: '-c search_path=conversation' });
  for (const messages of sizes) {
    const caller = { workspaceId: uuidv7(), keyId: uuidv7(), userId: '', scopes: ['chat'], requestId: 'bench' };
    await fillOwner(sql, caller, messages);
    const list = await spend(20, () => search(stub, caller, ''));
    const first = await spend(1, () => search(stub, caller, ABSENT));
    const began = performance.now();
    await indexed(sql, caller);
    const build = (performance.now() - began) / 1_000;
    await sql.query('ANALYZE');
    const all = await spend(SEARCHES, (index) => search(stub, caller, QUERIES[index % QUERIES.length] ?? ''));
    print(`${messages} messages: list p50 ${describe(list, 0.5)}, first search ${describe(first, 0)}, built in ${build.toFixed(0)} s`);
    print(`  searches p50 ${describe(all, 0.5)}, p99 ${describe(all, 0.99)}`);
    for (const text of QUERIES) print(`  ${text}: ${describe(await spend(7, () => search(stub, caller, text)), 0.5)}`);
  }
  await sql.end();
  stub.close();
  await server[Symbol.asyncDispose]();
  await Promise.all([nats.stop(), postgres.stop()]);
  await rm(folder, { recursive: true, force: true });
}

/** Waits until the index of the caller is complete. */
async function indexed(sql: pg.Pool, { keyId }: Caller): Promise<void> {
  const text = `SELECT FROM search_owners WHERE owner_id = $1 AND covered_until > now() - interval '5 minutes'`;
  while ((await sql.query(text, [keyId])).rowCount === 0) await new Promise((resolve) => setTimeout(resolve, 250));
}
