import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { until } from '../process/loopback.ts';
import { type Verification } from '../targets/target.ts';

const SETTLE_MS = 30_000;
const RECORD = `select (select count(*)::int from conversation.turns) as turns,
                       (select count(*)::int from conversation.turn_ends where status = 'completed') as completed`;

/** What the composition writes about itself into its data folder. */
export interface ParleyRun {
  databaseUrl: string;
}

/** What three independent places say about the turns of one run. */
export interface Counts {
  turns: number;
  completed: number;
  usage: number;
}

/** Reads `run.json` of a data folder; throws when it does not name the database. */
export async function readRun(dataDir: string): Promise<ParleyRun> {
  const run: unknown = JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8'));
  const databaseUrl = run !== null && typeof run === 'object' && 'database_url' in run ? run.database_url : undefined;
  if (typeof databaseUrl !== 'string') throw new Error('run.json names no database_url');
  return { databaseUrl };
}

/** Holds turns, ends and the usage report against the answers that the load got; usage travels over NATS and may come up to 30 s later. */
export async function verifyRecord(run: ParleyRun, url: string, apiKey: string, answered: number): Promise<Verification> {
  const client = new pg.Client({ connectionString: run.databaseUrl });
  await client.connect();
  try {
    let counts: Counts = { turns: -1, completed: -1, usage: -1 };
    await until(async () => {
      counts = { ...(await recorded(client)), usage: await reported(url, apiKey) };
      return agrees(counts, answered);
    }, SETTLE_MS);
    return judge(counts, answered);
  } finally {
    await client.end();
  }
}

/** The verdict on some counts. */
export function judge(counts: Counts, answered: number): Verification {
  if (agrees(counts, answered)) return { ok: true, summary: `verified: ${answered} of ${answered}` };
  const { turns, completed, usage } = counts;
  return { ok: false, summary: `NOT verified: ${answered} answered, ${turns} turns, ${completed} completed, ${usage} in the usage report` };
}

function agrees(counts: Counts, answered: number): boolean {
  return counts.turns === answered && counts.completed === answered && counts.usage === answered;
}

async function recorded(client: pg.Client): Promise<{ turns: number; completed: number }> {
  const { rows } = await client.query<{ turns: number; completed: number }>(RECORD);
  return rows[0] ?? { turns: -1, completed: -1 };
}

async function reported(url: string, apiKey: string): Promise<number> {
  const response = await fetch(`${url}/v1/usage`, { headers: { Authorization: `Bearer ${apiKey}` }, signal: AbortSignal.timeout(10_000) });
  const report: unknown = await response.json();
  const total = report !== null && typeof report === 'object' && 'total_requests' in report ? report.total_requests : undefined;
  return typeof total === 'number' ? total : -1;
}
