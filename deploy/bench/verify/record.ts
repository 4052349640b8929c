import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { until } from '../process/loopback.ts';
import { type Expected, type Verification } from '../targets/target.ts';

const SETTLE_MS = 30_000;
const RECORD = `select (select count(*)::int from conversation.turns) as turns,
                       (select count(*)::int from conversation.turn_ends where status = 'completed') as completed,
                       (select count(*)::int from conversation.turn_ends where status = 'interrupted') as interrupted`;

/** What the composition writes about itself into its data folder. */
export interface ParleyRun {
  databaseUrl: string;
  natsUrl: string;
}

/** What three independent places say about the turns of one run. */
export interface Counts {
  turns: number;
  completed: number;
  interrupted: number;
  usage: number;
}

/** Reads `run.json` of a data folder; throws when it does not name the database and the broker. */
export async function readRun(dataDir: string): Promise<ParleyRun> {
  const run: unknown = JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8'));
  const field = (name: string): string => {
    const value: unknown = run !== null && typeof run === 'object' ? new Map(Object.entries(run)).get(name) : undefined;
    if (typeof value !== 'string') throw new Error(`run.json names no ${name}`);
    return value;
  };
  return { databaseUrl: field('database_url'), natsUrl: field('nats_url') };
}

/** The record that a running Parley has of its turns. */
export class TurnRecord {
  readonly #databaseUrl: string;
  readonly #url: string;
  readonly #apiKey: string;
  #before: Counts = { turns: 0, completed: 0, interrupted: 0, usage: 0 };

  constructor(databaseUrl: string, url: string, apiKey: string) {
    this.#databaseUrl = databaseUrl;
    this.#url = url;
    this.#apiKey = apiKey;
  }

  /** Holds turns, ends and the usage report against what the load got; usage travels over NATS and may come up to 30 s later. */
  async verify(expected: Expected): Promise<Verification> {
    let counts: Counts = NOTHING_KNOWN;
    await until(async () => {
      counts = minus(await this.#counts(), this.#before);
      return agrees(counts, expected);
    }, SETTLE_MS);
    return compareCounts(counts, expected);
  }

  /** What is recorded now counts for nothing from here on. */
  async rebase(): Promise<void> {
    this.#before = await this.#counts();
  }

  async #counts(): Promise<Counts> {
    const client = new pg.Client({ connectionString: this.#databaseUrl });
    await client.connect();
    try {
      return { ...(await recorded(client)), usage: await reportedTurns(this.#url, this.#apiKey) };
    } finally {
      await client.end();
    }
  }
}

function minus(counts: Counts, before: Counts): Counts {
  return {
    turns: counts.turns - before.turns,
    completed: counts.completed - before.completed,
    interrupted: counts.interrupted - before.interrupted,
    usage: counts.usage - before.usage,
  };
}

/** The verdict on some counts. */
export function compareCounts(counts: Counts, expected: Expected): Verification {
  const { answered, aborted, jobs = 0, refused = 0 } = expected;
  const all = answered + aborted;
  const { turns, completed, interrupted, usage } = counts;
  const cut = aborted > 0 ? `, ${aborted} of them broken off (${interrupted} interrupted)` : '';
  const spoken = (jobs > 0 ? `, and ${jobs} speech jobs` : '') + (refused > 0 ? `, and ${refused} refused` : '');
  if (agrees(counts, expected)) return { ok: true, summary: `verified: ${all} of ${all}${cut}${spoken}` };
  const got = `${answered} answered${aborted > 0 ? ` and ${aborted} broken off` : ''}${spoken}`;
  const summary = `NOT verified: ${got}, ${turns} turns, ${completed} completed, ${interrupted} interrupted, ${usage} in the usage report`;
  return { ok: false, summary };
}

function agrees({ turns, completed, interrupted, usage }: Counts, { answered, aborted, jobs = 0, refused = 0 }: Expected): boolean {
  const all = answered + aborted;
  return turns === all && usage === all + jobs + refused && completed + interrupted === all && completed >= answered;
}

const NOTHING_KNOWN = { turns: -1, completed: -1, interrupted: -1, usage: -1 };

async function recorded(client: pg.Client): Promise<Omit<Counts, 'usage'>> {
  const { rows } = await client.query<Omit<Counts, 'usage'>>(RECORD);
  return rows[0] ?? NOTHING_KNOWN;
}

/** How many turns (and other counted requests) the usage report of a Parley holds; -1 without a report. */
export async function reportedTurns(url: string, apiKey: string): Promise<number> {
  const response = await fetch(`${url}/v1/usage`, { headers: { Authorization: `Bearer ${apiKey}` }, signal: AbortSignal.timeout(10_000) });
  const report: unknown = await response.json();
  const total = report !== null && typeof report === 'object' && 'total_requests' in report ? report.total_requests : undefined;
  return typeof total === 'number' ? total : -1;
}
