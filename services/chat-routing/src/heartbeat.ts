import { type Logger } from '@parley/kit/log/logger';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { type Stub } from '@parley/kit/rpc/client';
import { type ConversationServiceService } from '@parley/protos/conversation/v1/conversation';

const EVERY_MS = 3_000;
const DEADLINE_MS = 2_000;
/** Interval after a failure. Short, because turns of a runner without a recorded heartbeat stay open longest if the process crashes. */
const AGAIN_MS = 250;

/**
 * Sends heartbeats to the conversation service; when they stop, it closes the turns of this process as interrupted. `first` resolves after
 * the first attempt, also when that failed.
 */
export function startHeartbeat(
  conversation: Stub<typeof ConversationServiceService>,
  runnerName: string,
  runnerId: string,
  log: Logger,
): { first: Promise<void>; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let failures = 0;
  const beat = async () => {
    try {
      await conversation.heartbeat({ runnerName, runnerId }, { caller: SYSTEM_CALLER, deadlineMs: DEADLINE_MS, repeatable: true });
      failures = 0;
    } catch (err) {
      // An outage is logged once, however many heartbeats fail in it.
      if (failures++ === 0) log.warn({ err }, 'heartbeat failed');
    }
    if (!stopped) timer = setTimeout(() => void beat(), failures === 0 ? EVERY_MS : AGAIN_MS).unref();
  };
  return {
    first: beat(),
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
