import { type Logger } from '@parley/kit/log/logger';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { type Stub } from '@parley/kit/rpc/client';
import { type ConversationServiceService } from '@parley/protos/conversation/v1/conversation';

const EVERY_MS = 3_000;
const DEADLINE_MS = 2_000;

/** Tells the record that the turns of this process are alive; when this stops, they are closed as interrupted. */
export function startHeartbeat(
  conversation: Stub<typeof ConversationServiceService>,
  runnerName: string,
  runnerId: string,
  log: Logger,
): { first: Promise<void>; stop(): void } {
  const beat = async () => {
    try {
      await conversation.heartbeat({ runnerName, runnerId }, { caller: SYSTEM_CALLER, deadlineMs: DEADLINE_MS });
    } catch (err) {
      log.warn({ err }, 'heartbeat failed');
    }
  };
  const timer = setInterval(() => void beat(), EVERY_MS).unref();
  return { first: beat(), stop: () => clearInterval(timer) };
}
