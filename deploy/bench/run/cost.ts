import { CostAccount, type IdleLevel, type Reading } from '../cost/account.ts';
import { type DatabaseMoment, statementsBetween, walByName } from '../cost/statements.ts';
import { type ClosedLoopJob } from '../load/protocol.ts';
import { THINKING_MODEL } from '../mock/scripts.ts';
import { type CostShare, type CostTurns, type CostWindow } from '../results.ts';
import { runMeasured } from './measured.ts';
import { MAX_FOREIGN_SHARE } from './quietest.ts';
import { requestFor } from './request-for.ts';
import { type StartedTarget } from './rig.ts';
import { inTurn, type Session } from './session.ts';
import { warmThoroughly } from './warm-up.ts';

/** With an upstream that takes half a second this gives about 250 turns a second. */
const THINKING_CONNECTIONS = 128;
const MOST_MS = 600_000;
const PAGE_BYTES = 8_192;
const KINDS: Record<CostTurns, { model: string; stream: boolean }> = {
  new: { model: 'fast', stream: false },
  continued: { model: 'fast', stream: false },
  streams: { model: 'chunks-64', stream: true },
  thinking: { model: THINKING_MODEL, stream: false },
};

interface Counted {
  target: StartedTarget;
  account: CostAccount;
}

/** Measures all that a turn costs: CPU of every process until all are idle again, and what is written. */
export async function runCost(session: Session): Promise<void> {
  const { rig, plan } = session;
  const started = await session.startAll(plan.targets, { countsStatements: true });
  const all: Counted[] = [];
  for (const target of started) {
    await warmThoroughly(rig, target, plan.settings);
    all.push({ target, account: await CostAccount.open(target) });
  }
  for (let round = 1; round <= plan.settings.rounds; round++) {
    for (const counted of inTurn(round, all)) await measureTarget(session, counted, round);
  }
  for (const { target, account } of all) {
    await account.close();
    await session.finish(target, 'cost');
  }
}

async function measureTarget(session: Session, counted: Counted, round: number): Promise<void> {
  const { target, account } = counted;
  const records = target.running.verify !== undefined;
  const idle = await account.idleLevel();
  // Without a record a conversation cannot go on, and a slow upstream changes no groups of commits.
  const kinds = records ? (['new', 'continued', 'streams', 'thinking'] as const) : (['new', 'streams'] as const);
  for (const turns of kinds) session.keep(await measureTurns(session, counted, turns, idle, round));
}

async function measureTurns(
  session: Session,
  { target, account }: Counted,
  turns: CostTurns,
  idle: IdleLevel,
  round: number,
): Promise<CostWindow> {
  const job = jobOf(session, target, turns);
  if (turns === 'continued') {
    const { result } = await runMeasured(session.rig, target, { ...job, namesConversations: true });
    await account.idleAgain(idle);
    job.conversations = result.conversations ?? [];
  }
  const databaseBefore = await account.database();
  const before = account.read();
  const { result, cpu } = await runMeasured(session.rig, target, job);
  const closed = account.read();
  const settled = await account.idleAgain(idle);
  const after = settled ?? account.read();
  const databaseAfter = await account.databaseTold(databaseBefore);
  const sums = sumsOf(account, idle, { before, closed, after }, result.answered);
  return {
    kind: 'cost',
    target: target.name,
    round,
    turns,
    answered: result.answered,
    perSecond: result.answered / result.seconds,
    ...sums,
    idleCores: idle.cores,
    ...(settled && { busyMs: Math.max(0, settled.at - closed.at - 2_000) }),
    ...(databaseBefore && databaseAfter && written(databaseBefore, databaseAfter, result.answered)),
    foreignShare: cpu.foreignShare,
    noisy: cpu.foreignShare > MAX_FOREIGN_SHARE,
    attempts: 1,
    failures: result.failures,
  };
}

function jobOf({ plan }: Session, target: StartedTarget, turns: CostTurns): ClosedLoopJob {
  const { model, stream } = KINDS[turns];
  return {
    kind: 'closed-loop',
    ...requestFor(target, model, stream),
    connections: turns === 'thinking' ? THINKING_CONNECTIONS : plan.settings.connections,
    turns: plan.settings.turns,
    warmMs: 0,
    windowMs: MOST_MS,
  };
}

/** CPU for one turn, less what an idle target would have used in that time. */
function sumsOf(
  account: CostAccount,
  idle: IdleLevel,
  { before, closed, after }: Record<'before' | 'closed' | 'after', Reading>,
  answered: number,
): Pick<CostWindow, 'cpuMicrosEach' | 'inLoadMicrosEach' | 'afterwardsMicrosEach' | 'processes'> {
  const each = (from: Reading, to: Reading): CostShare[] => {
    const idleMicros = (to.at - from.at) * 1_000;
    return [...account.between(from, to)].map(([name, micros]) => {
      return { name, each: (micros - (idle.byName.get(name) ?? 0) * idleMicros) / answered };
    });
  };
  const processes = each(before, after).sort((a, b) => b.each - a.each);
  const cpuMicrosEach = total(processes);
  const inLoadMicrosEach = total(each(before, closed));
  return { cpuMicrosEach, inLoadMicrosEach, afterwardsMicrosEach: cpuMicrosEach - inLoadMicrosEach, processes };
}

function written(before: DatabaseMoment, after: DatabaseMoment, answered: number): Pick<CostWindow, 'wal' | 'statements'> {
  const processes = [...walByName(before, after)].map(([name, bytes]) => ({ name, each: bytes / answered }));
  return {
    wal: {
      bytesEach: (after.walBytes - before.walBytes) / answered,
      fullPagesEach: ((after.fullPages - before.fullPages) * PAGE_BYTES) / answered,
      processes: processes.sort((a, b) => b.each - a.each),
    },
    statements: statementsBetween(before, after).map(({ text, calls, micros, rows, walBytes }) => {
      return { text, calls: calls / answered, micros: micros / answered, rows: rows / answered, walBytes: walBytes / answered };
    }),
  };
}

function total(shares: readonly CostShare[]): number {
  return shares.reduce((sum, { each }) => sum + each, 0);
}
