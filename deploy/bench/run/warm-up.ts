import { runMeasured, settle } from './measured.ts';
import { requestFor } from './request-for.ts';
import { type Rig, type StartedTarget } from './rig.ts';
import { type Settings } from './settings.ts';

const CONNECTIONS = 8;
const THOROUGH_MS = 5_000;

/** Loads a target flat out and lets it settle: a process that has idled answers its first requests slowly, in any language. */
export async function warmUp(rig: Rig, target: StartedTarget, model: string, stream: boolean, settings: Settings): Promise<void> {
  await load(rig, target, model, stream, CONNECTIONS, settings.warmSeconds * 1000);
}

/** Once after the start, with every kind of request: the first windows would measure the compiler otherwise. */
export async function warmThoroughly(rig: Rig, target: StartedTarget, settings: Settings): Promise<void> {
  // A short look does not need more than its windows have.
  const ms = Math.min(THOROUGH_MS, 2 * settings.warmSeconds * 1000);
  await load(rig, target, 'fast', false, settings.connections, ms);
  await load(rig, target, 'chunks-64', true, settings.connections, ms);
}

async function load(rig: Rig, target: StartedTarget, model: string, stream: boolean, connections: number, warmMs: number): Promise<void> {
  await runMeasured(rig, target, { kind: 'closed-loop', ...requestFor(target, model, stream), connections, warmMs, windowMs: 0 });
  await settle(target);
}
