import { runMeasured, settle } from './measured.ts';
import { requestFor } from './request-for.ts';
import { type Rig, type StartedTarget } from './rig.ts';
import { type Settings } from './settings.ts';

const CONNECTIONS = 8;

/** Loads a target flat out and lets it settle: a process that has idled answers its first requests slowly, whoever wrote it. */
export async function warmUp(rig: Rig, target: StartedTarget, model: string, stream: boolean, settings: Settings): Promise<void> {
  const request = requestFor(target, model, stream);
  const warmMs = settings.warmSeconds * 1000;
  await runMeasured(rig, target, { kind: 'closed-loop', ...request, connections: CONNECTIONS, warmMs, windowMs: 0 });
  await settle(target);
}
