import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type LargeBody, largeBodies } from '../hostile/bodies.ts';
import { probe, sendBody } from '../hostile/send.ts';
import { quantile } from '../measure/statistics.ts';
import { type HostileWindow } from '../results.ts';
import { runAtRate } from './latency.ts';
import { settle } from './measured.ts';
import { quietest } from './quietest.ts';
import { type StartedTarget } from './rig.ts';
import { type Session } from './session.ts';
import { warmThoroughly } from './warm-up.ts';

const TARGETS: readonly string[] = ['parley-single', 'parley-separate'];
/** Bodies of one kind that are sent at once. */
const AT_ONCE = 2;
/** Streams of another client meanwhile. */
const STREAMS_PER_SECOND = 20;
/** The monitor writes this often. */
const MONITOR_MS = 250;
/** The window without large bodies, to compare with. */
const NO_BODY = 'nothing';

/** Measures what others notice of bodies that are as large as they may be, hostile and honest. */
export async function runHostile(session: Session): Promise<void> {
  const { rig, plan } = session;
  const started = await session.startAll(
    plan.targets.filter(({ name }) => TARGETS.includes(name)),
    { watchesEventLoop: true },
  );
  for (const target of started) {
    await warmThoroughly(rig, target, plan.settings);
    const bodies = [{ name: NO_BODY, bytes: Buffer.alloc(0) }, ...largeBodies(target.running.model('fast'))];
    // The first large body of all starts threads and grows heaps.
    for (const body of bodies.slice(1)) count(target, [await sendBody(target.running, body)]);
    for (let round = 1; round <= plan.settings.rounds; round++) {
      for (const body of bodies) session.keep(await measureBody(session, target, body, round));
    }
  }
  for (const target of started) await session.finish(target, 'hostile');
}

async function measureBody(session: Session, target: StartedTarget, body: LargeBody, round: number): Promise<HostileWindow> {
  const { running } = target;
  const { seconds } = session.plan.settings;
  const window = await quietest(async () => {
    await settle(target);
    const from = Date.now();
    let isOver = false;
    const probing = probe(running, () => isOver);
    const sending = send(target, body, () => isOver);
    const streams = await runAtRate(session.rig, target, { model: 'fast', stream: true, perSecond: STREAMS_PER_SECOND, seconds });
    isOver = true;
    const [livez, statuses] = await Promise.all([probing, sending]);
    await delay(MONITOR_MS);
    return {
      sent: statuses.length,
      statuses: tally(statuses),
      loopDelayMs: await worstDelay(running.eventLoopFile, from),
      livezP99Ms: quantile(livez, 0.99),
      livezMaxMs: Math.max(...livez),
      firstChunkP50Ms: quantile(streams.result.timings.firstPieceMs, 0.5),
      firstChunkP99Ms: quantile(streams.result.timings.firstPieceMs, 0.99),
      foreignShare: streams.cpu.foreignShare,
      failures: streams.result.failures,
    };
  });
  return { kind: 'hostile', target: target.name, round, body: body.name, ...window };
}

/** Sends a body again and again, some at once. */
async function send(target: StartedTarget, body: LargeBody, isOver: () => boolean): Promise<(number | undefined)[]> {
  const statuses: (number | undefined)[] = [];
  const one = async () => {
    while (!isOver() && body.name !== NO_BODY) statuses.push(await sendBody(target.running, body));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  count(target, statuses);
  return statuses;
}

function count(target: StartedTarget, statuses: readonly (number | undefined)[]): void {
  const countOf = (isCounted: (status: number) => boolean) => statuses.filter((status) => status !== undefined && isCounted(status)).length;
  target.answered += countOf((status) => status === 200);
  target.refused = (target.refused ?? 0) + countOf((status) => status >= 400 && status < 500);
}

function tally(statuses: readonly (number | undefined)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const status of statuses) counts[status ?? 'none'] = (counts[status ?? 'none'] ?? 0) + 1;
  return counts;
}

/** The longest that the event loop was late since a moment, in ms. */
async function worstDelay(file: string | undefined, from: number): Promise<number> {
  if (file === undefined) return NaN;
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  const late = lines.map((line) => line.split(' ').map(Number)).filter(([at = 0]) => at >= from);
  return Math.max(...late.map(([, ms = 0]) => ms));
}
