import { runClosedLoop } from './closed-loop.ts';
import { runHold } from './hold.ts';
import { runMixed } from './mixed.ts';
import { runOpenLoop } from './open-loop.ts';
import { type Edge, type Job, type JobResult, type LoadEvent } from './protocol.ts';

// A process of its own, on the mock's core: a load in the process that measures would wait for the measuring.
const tell = (event: LoadEvent): void => void process.send?.(event);
const edge = (event: Edge, answeredEver = 0): void => tell({ event, answeredEver });

function run(job: Job): Promise<JobResult> {
  switch (job.kind) {
    case 'closed-loop':
      return runClosedLoop(job, edge);
    case 'open-loop':
      return runOpenLoop(job, edge);
    case 'hold':
      return runHold(job, () => edge('held'));
    case 'mixed':
      return runMixed(job, (progress) => tell({ event: 'progress', progress }));
  }
}

process.on('message', (job: Job) => {
  run(job).then(
    (result) => tell({ event: 'result', result }),
    (error: unknown) => tell({ event: 'failed', message: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
tell({ event: 'ready' });
