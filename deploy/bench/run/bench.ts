import { runAudio } from './audio.ts';
import { runCost } from './cost.ts';
import { runHostile } from './hostile.ts';
import { runIdle } from './idle.ts';
import { runMemory } from './memory.ts';
import { type Rig } from './rig.ts';
import { type Measured, type Plan, type Say, Session } from './session.ts';
import { runSideBySide } from './side-by-side.ts';
import { runStored } from './stored.ts';

/** Runs the plan on a rig. A target that cannot be had is noted and left out; the others go on. */
export async function runBench(rig: Rig, plan: Plan, say: Say): Promise<Measured> {
  const session = new Session(rig, plan, say);
  if (plan.scenarios.includes('cost')) await runCost(session);
  await runSideBySide(session);
  if (plan.scenarios.includes('memory')) await runMemory(session);
  if (plan.scenarios.includes('idle')) await runIdle(session);
  if (plan.scenarios.includes('stored')) await runStored(session);
  if (plan.scenarios.includes('audio')) await runAudio(session);
  if (plan.scenarios.includes('hostile')) await runHostile(session);
  return session.measured;
}
