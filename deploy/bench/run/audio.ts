import { type JobResult } from '../load/protocol.ts';
import { quantile } from '../measure/statistics.ts';
import { type AudioWindow } from '../results.ts';
import { SpeechJobs } from '../speech/jobs.ts';
import { merged, REQUESTS_PER_SECOND, runAtRate } from './latency.ts';
import { measureWhile, settle, type WindowCpu } from './measured.ts';
import { quietest } from './quietest.ts';
import { type StartedTarget } from './rig.ts';
import { inTurn, type Session } from './session.ts';
import { warmThoroughly, warmUp } from './warm-up.ts';

const TARGETS: readonly string[] = ['parley-single', 'parley-separate'];
/** Jobs at work while chat is measured. */
export const JOBS_AT_WORK = 4;
/** More wait, so that there are always as many. */
const WAITING = 4;
const JOBS_TO_TIME = 12;

const SENTENCE = 'The quick brown fox jumps over the lazy dog, and nobody knows why it would. ';
/** A page: a minute of audio. */
const PAGE = { input: SENTENCE.repeat(13).slice(0, 1_000) };
/** The longest text at the slowest speed lasts longer than a window. */
const ENDLESS = { input: SENTENCE.repeat(132).slice(0, 10_000), speed: 0.25 };

/** Measures what speech jobs cost, and what chat notices of them. */
export async function runAudio(session: Session): Promise<void> {
  const { rig, plan } = session;
  const started = await session.startAll(plan.targets.filter(({ name }) => TARGETS.includes(name)));
  for (const target of started) await warmThoroughly(rig, target, plan.settings);
  for (let round = 1; round <= plan.settings.rounds; round++) {
    for (const target of inTurn(round, started)) session.keep(await measureAudio(session, target, round));
  }
  for (const target of started) await session.finish(target, 'audio');
}

async function measureAudio(session: Session, target: StartedTarget, round: number): Promise<AudioWindow> {
  const jobs = new SpeechJobs(target.running);
  const window = await quietest(async () => {
    await warmUp(session.rig, target, 'fast', false, session.plan.settings);
    const pace = await timeJobs(session, target, jobs);
    const chats: Record<'calm' | 'busy', Chat | undefined> = { calm: undefined, busy: undefined };
    for (const kind of inTurn(round, ['calm', 'busy'] as const)) {
      chats[kind] = kind === 'calm' ? await chat(session, target) : await chatBesideJobs(session, target, jobs);
    }
    const { calm, busy } = chats;
    if (!calm || !busy) throw new Error('chat was not measured');
    return {
      ...pace,
      ...latencies(calm, busy),
      foreignShare: Math.max(pace.foreignShare, calm.cpu.foreignShare, busy.cpu.foreignShare),
      failures: merged(calm.result.failures, busy.result.failures),
    };
  });
  return { kind: 'audio', target: target.name, round, ...window };
}

/** Has some pages spoken as fast as it goes, with nothing else to do. */
async function timeJobs({ rig }: Session, target: StartedTarget, jobs: SpeechJobs) {
  // Engines that run already are no part of what a job costs.
  await jobs.queue(JOBS_AT_WORK, PAGE);
  await jobs.finished();
  count(target, jobs);
  await settle(target);
  const begun = performance.now();
  const { result: audioSeconds, cpu } = await measureWhile(rig, target, async () => {
    await jobs.queue(JOBS_TO_TIME, PAGE);
    return jobs.finished();
  });
  const minutes = (performance.now() - begun) / 60_000;
  count(target, jobs);
  await settle(target);
  return {
    audioSeconds,
    jobsPerMinute: JOBS_TO_TIME / minutes,
    cpuMillisPerAudioSecond: cpu.targetMicros / 1_000 / audioSeconds,
    foreignShare: cpu.foreignShare,
  };
}

interface Chat {
  result: JobResult;
  cpu: WindowCpu;
}

function chat({ rig, plan }: Session, target: StartedTarget): Promise<Chat> {
  return runAtRate(rig, target, { model: 'fast', stream: false, perSecond: REQUESTS_PER_SECOND, seconds: plan.settings.seconds });
}

async function chatBesideJobs(session: Session, target: StartedTarget, jobs: SpeechJobs): Promise<Chat> {
  await jobs.queue(JOBS_AT_WORK + WAITING, ENDLESS);
  await jobs.spoken(JOBS_AT_WORK);
  const measured = await chat(session, target);
  const left = await jobs.beingSpoken();
  await jobs.cancel();
  count(target, jobs);
  await settle(target);
  if (left < JOBS_AT_WORK) throw new Error(`only ${left} speech jobs were left at the end of the window; make it shorter with --seconds`);
  return measured;
}

/** The usage report counts jobs too. */
function count(target: StartedTarget, jobs: SpeechJobs): void {
  target.jobs = (target.jobs ?? 0) + jobs.forget();
}

function latencies(calm: Chat, busy: Chat) {
  const at = ({ result }: Chat, part: number) => quantile(result.timings.totalMs, part);
  return { p50Ms: at(calm, 0.5), p99Ms: at(calm, 0.99), besideJobsP50Ms: at(busy, 0.5), besideJobsP99Ms: at(busy, 0.99) };
}
