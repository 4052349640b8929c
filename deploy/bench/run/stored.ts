import { type ClosedLoopJob } from '../load/protocol.ts';
import { type StoredTurns, type StoredWindow } from '../results.ts';
import { StoredConversations } from '../stored/fill.ts';
import { runMeasured, settle } from './measured.ts';
import { quietest } from './quietest.ts';
import { requestFor } from './request-for.ts';
import { type StartedTarget } from './rig.ts';
import { inTurn, type Session } from './session.ts';
import { SMALL_DATABASE } from './settings.ts';
import { warmThoroughly } from './warm-up.ts';

// No more drivers than the small database has conversations: each takes one turn at a time.
const CONNECTIONS = 8;
// A database up to this size is filled anew before each window, since the window itself would multiply it.
const ALWAYS_REFILLED = 20_000;
// What a continued turn costs depends on how long its conversation is, so each is continued once in a window, on either side. Fewer
// stored conversations than this cannot show that, and the small database has as many for these turns.
const CONTINUED = 20_000;

interface Side {
  database: 'small' | 'grown';
  target: StartedTarget;
  stored: StoredConversations;
}

/**
 * Measures what a turn costs with few and with many stored conversations, on two Parleys that take turns: one stays small and shows what
 * the machine does to the figures, the other grows from size to size.
 */
export async function runStored(session: Session): Promise<void> {
  const { plan } = session;
  const target = plan.targets.find(({ name }) => name === 'parley-single') ?? plan.targets.find(({ name }) => name === 'parley-separate');
  if (!target) return;
  const sides: Side[] = [];
  for (const database of ['small', 'grown'] as const) {
    const started = await session.start(target);
    if (!started) return;
    sides.push(await prepare(session, database, started));
  }
  for (const size of plan.settings.storedSizes) await compare(session, sides, size);
  for (const { target: started, stored, database } of sides) {
    await stored.close();
    await session.finish(started, `stored, ${database}`);
  }
}

async function prepare(session: Session, database: Side['database'], target: StartedTarget): Promise<Side> {
  const { databaseUrl } = target.running;
  if (databaseUrl === undefined) throw new Error(`${target.name} keeps no record`);
  await warmThoroughly(session.rig, target, session.plan.settings);
  await session.verify(target, `stored, ${database}, warm-up`);
  const side = { database, target, stored: await StoredConversations.open(databaseUrl) };
  // Continued turns read what new ones do not; that code has to be warm as well.
  await startOver(side, CONTINUED);
  await runMeasured(session.rig, target, await turnsOf(session, side, 'continued', 0));
  await settle(target);
  await session.verify(target, `stored, ${database}, warm-up`);
  return side;
}

async function compare(session: Session, sides: readonly Side[], size: number): Promise<void> {
  for (const { database, stored } of sides) {
    if (database === 'grown' && size > ALWAYS_REFILLED) {
      session.say(`stored: filling up to ${size} conversations`);
      await stored.growTo(size);
    }
  }
  for (const side of sides) await rebase(side.target);
  for (let round = 1; round <= session.plan.settings.rounds; round++) {
    for (const turns of size < CONTINUED ? (['new'] as const) : (['new', 'continued'] as const)) {
      for (const side of inTurn(round, sides)) session.keep(await measureStored(session, side, size, turns, round));
    }
  }
  for (const { database, target } of sides)
    if (database === 'grown' && size > ALWAYS_REFILLED) await session.verify(target, `stored, ${size}`);
}

async function measureStored(session: Session, side: Side, size: number, turns: StoredTurns, round: number): Promise<StoredWindow> {
  const { rig, plan } = session;
  const { target, stored, database } = side;
  const smallSize = turns === 'continued' ? CONTINUED : SMALL_DATABASE;
  const ownSize = database === 'small' ? smallSize : size;
  const window = await quietest(async () => {
    if (ownSize <= ALWAYS_REFILLED) await startOver(side, ownSize);
    const storedBefore = await stored.count();
    const { result, cpu } = await runMeasured(rig, target, await turnsOf(session, side, turns, plan.settings.seconds));
    await settle(target);
    if (ownSize <= ALWAYS_REFILLED) await session.verify(target, `stored, ${ownSize}, ${turns}, round ${round}`);
    return {
      storedBefore,
      storedAfter: await stored.count(),
      answered: result.answered,
      perSecond: result.answered / result.seconds,
      cpuMicrosEach: result.answered === 0 ? Number.NaN : cpu.targetMicros / result.answered,
      foreignShare: cpu.foreignShare,
      failures: result.failures,
    };
  });
  return { kind: 'stored', target: target.name, round, size, database, turns, ...window };
}

async function turnsOf({ plan }: Session, { target, stored }: Side, turns: StoredTurns, seconds: number): Promise<ClosedLoopJob> {
  const { warmSeconds } = plan.settings;
  return {
    kind: 'closed-loop',
    ...requestFor(target, 'fast', false),
    connections: CONNECTIONS,
    ...(turns === 'continued' && { conversations: await stored.pick(CONTINUED) }),
    // Without a window it is a warm-up, and that of the first time is longer.
    warmMs: (seconds === 0 ? 3 * warmSeconds : warmSeconds) * 1000,
    windowMs: seconds * 1000,
  };
}

async function startOver({ stored, target }: Side, size: number): Promise<void> {
  await stored.refill(size);
  await rebase(target);
}

async function rebase(target: StartedTarget): Promise<void> {
  await target.running.rebase?.();
  target.answered = 0;
}
