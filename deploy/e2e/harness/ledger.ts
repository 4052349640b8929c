import { expect } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { randomUUID } from 'node:crypto';
import { stream, type Turn } from './chat.ts';
import { query } from './database.ts';
import { type Gateway } from './parley.ts';
import { type Tenant } from './tenant.ts';
import { type TurnResult, readTurnResult } from './turn-result.ts';
import { usageOf } from './usage.ts';

/** A turn as the record has it; `status` is null while it is open. */
interface Recorded {
  message: string;
  conversation: string;
  status: string | null;
  tokensIn: number;
  tokensOut: number;
  text: string;
}

/**
 * What the clients of a tenant heard of their turns, to be held against the record and the usage report: whatever breaks in between,
 * all three must agree in the end. Every turn asks for a text of its own, so that a mixed up answer shows.
 */
export class Ledger {
  readonly heard: TurnResult[] = [];
  readonly #gateway: () => Gateway;
  readonly #tenant: Tenant;

  constructor(gateway: () => Gateway, tenant: Tenant) {
    this.#gateway = gateway;
    this.#tenant = tenant;
  }

  /** A streamed turn of so many words, heard to its end, whatever that is. Never throws: a refusal and a broken connection are outcomes. */
  async turn({ words = 10, ...turn }: Turn & { words?: number } = {}): Promise<TurnResult> {
    const answer = await readTurnResult(() => stream(this.#gateway(), this.request(words, turn)));
    this.heard.push(answer);
    return answer;
  }

  /** The request of a turn, for a test that listens itself. */
  request(words: number, turn: Turn = {}): Turn {
    const counted = Array.from({ length: words }, (_, index) => index + 1).join(' ');
    const say = `say ${randomUUID()} ${counted}`;
    return { key: this.#tenant.apiKey, say, ...turn, body: { stream_options: { include_usage: true }, ...turn.body } };
  }

  /** Those that were answered to the end: what the gateway has acknowledged. */
  get completed(): TurnResult[] {
    return this.heard.filter(({ outcome }) => outcome === 'completed');
  }

  /** Waits until no turn is open, and expects that record and report agree with each other and with what was heard. */
  async reconcile(): Promise<void> {
    const record = await waitFor(async () => ended(await this.record()), { everyMs: 100 });
    this.#expectRecorded(record);
    const expected = {
      successful: record.filter(({ status, tokensOut }) => status === 'completed' || (status === 'interrupted' && tokensOut > 0)).length,
      total_tokens_in: sum(record.map(({ tokensIn }) => tokensIn)),
      total_tokens_out: sum(record.map(({ tokensOut }) => tokensOut)),
    };
    const failed = record.length - expected.successful;
    const refused = this.heard.filter(({ outcome }) => outcome === 'refused' || outcome === 'broken').length;
    const isCounted = async () => {
      const usage = await usageOf(this.#gateway(), this.#tenant.apiKey);
      return usage.total_requests >= record.length && usage.total_tokens_out >= expected.total_tokens_out ? usage : undefined;
    };
    const usage = await waitFor(isCounted, { everyMs: 100 });
    expect(usage).toMatchObject(expected);
    // Refusals never begin a turn; they are counted in memory, so that a crash may lose the last of them, but invents none.
    expect(usage.errors + usage.rate_limited).toBeGreaterThanOrEqual(failed);
    expect(usage.errors + usage.rate_limited).toBeLessThanOrEqual(failed + refused);
  }

  /**
   * Expects that the record says of every turn what its client got: completed or not. Of a connection that broke the client knows nothing, nor
   * which turn a refusal was about.
   */
  async expectTold(): Promise<void> {
    const record = await this.record();
    const statuses = new Map(record.map(({ message, status }) => [message, status]));
    const outcomes = this.heard.flatMap(({ message, outcome, code }) =>
      message === undefined || outcome === 'broken' ? [] : [{ message, outcome, code, recorded: statuses.get(message) }],
    );
    expect(outcomes.filter(({ outcome, recorded }) => (outcome === 'completed') !== (recorded === 'completed'))).toEqual([]);
    const broken = this.heard.filter(({ outcome }) => outcome === 'broken').length;
    const completed = record.filter(({ status }) => status === 'completed').length;
    expect(completed).toBeLessThanOrEqual(this.completed.length + broken);
  }

  /** What the record has of the tenant's turns, oldest first. */
  record(): Promise<Recorded[]> {
    return query<Recorded & Record<string, unknown>>(this.#gateway(), RECORD, [this.#tenant.keyId]);
  }

  #expectRecorded(record: readonly Recorded[]): void {
    const byMessage = new Map(record.map((turn) => [turn.message, turn]));
    for (const { message, conversation, outcome, text, tokensIn, tokensOut } of this.heard) {
      if (message === undefined) continue;
      const recorded = byMessage.get(message);
      if (outcome === 'completed') expect(recorded).toMatchObject({ conversation, status: 'completed', text, tokensIn, tokensOut });
      // What was heard of a broken answer may be ahead of what was kept of it, or behind; it is the same answer.
      else expect(agree(recorded?.text, text)).toBe(true);
    }
    const completed = record.filter(({ status }) => status === 'completed').length;
    expect(completed).toBeGreaterThanOrEqual(this.completed.length);
    expect(record.length).toBeLessThanOrEqual(this.heard.length);
  }
}

function agree(recorded: string | undefined, heard: string): boolean {
  return recorded !== undefined && (recorded.startsWith(heard) || heard.startsWith(recorded));
}

function ended(record: Recorded[]): Recorded[] | undefined {
  return record.every(({ status }) => status !== null) ? record : undefined;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

const RECORD = `
  SELECT t.assistant_message_id AS message, t.conversation_id AS conversation, e.status, coalesce(e.tokens_in, 0) AS "tokensIn",
         coalesce(e.tokens_out, 0) AS "tokensOut", coalesce(m.content, '') AS text
    FROM conversation.turns t
    LEFT JOIN conversation.turn_ends e ON e.turn_id = t.id
    LEFT JOIN conversation.messages m ON m.id = t.assistant_message_id
   WHERE t.key_id = $1
   ORDER BY t.started_at, t.id`;
