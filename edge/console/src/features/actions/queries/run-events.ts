import { type components } from '../../../api/generated/me.ts';
import { fetchInWorkspace } from '../../../api/me.ts';
import { asProblem, readProblem } from '../../../api/problem.ts';
import { readSseData } from '../../../api/sse.ts';

type RunEvent = components['schemas']['ActionRunEvent'];

/** Pause before a broken stream is opened again, times the attempts that failed in a row. */
const PAUSE_MS = 1000;
const MAX_FAILURES = 6;

/**
 * The events of a run, from the first one to its last as it happens. A stream that breaks is opened again behind what was read.
 * @throws Problem when the gateway refuses it, or does not answer several times
 */
export async function* readRunEvents(
  { workspaceId, slug, runId }: { workspaceId: string; slug: string; runId: string },
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void> {
  let after = 0;
  for (let failures = 0; ;) {
    try {
      const path = `/me/v1/actions/${slug}/runs/${runId}/events?after=${after}` as const;
      const response = await fetchInWorkspace(workspaceId, path, { headers: { accept: 'text/event-stream' }, signal });
      if (!response.ok) throw await readProblem(response);
      // There is nothing behind the last event.
      if (response.status === 204 || !response.body) return;
      for await (const data of readSseData(response.body)) {
        const event = JSON.parse(data) as RunEvent;
        failures = 0;
        after = event.sequence;
        yield event;
        if (event.type === 'run.ended') return;
      }
    } catch (error) {
      const problem = asProblem(error);
      if (signal.aborted || (problem.status !== 0 && !problem.isRetryable)) throw problem;
      if (++failures >= MAX_FAILURES) throw problem;
    }
    await pause(PAUSE_MS * Math.max(1, failures), signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
