import { setTimeout as sleep } from 'node:timers/promises';
import { type Ledger } from './ledger.ts';
import { type TurnResult } from './turn-result.ts';

/** Clients that talk without a pause. */
export interface Load {
  /** Turns that were answered to the end so far. */
  readonly completed: number;
  /** Ends the load once every turn under way is over. */
  stop(): Promise<void>;
}

/** How long a client waits after anything but an answer; what clients do, not what a test waits for. */
const RETRY_MS = 200;
/** How many turns a client stays in a conversation. */
const STAYS = 3;

/** Starts so many clients, each with a streamed turn of `words` words open at any time; most turns go on with a conversation. */
export function startLoad(ledger: Ledger, clients: number, words: number): Load {
  let isStopping = false;
  let completed = 0;
  const talk = async () => {
    let conversation: string | undefined;
    for (let turns = 0; !isStopping; turns++) {
      const heard: TurnResult = await ledger.turn({ words, conversation: turns % STAYS === 0 ? undefined : conversation });
      if (heard.outcome === 'completed') completed++;
      else await sleep(RETRY_MS);
      conversation = heard.conversation ?? conversation;
    }
  };
  const talking = Promise.all(Array.from({ length: clients }, talk));
  return {
    get completed() {
      return completed;
    },
    stop: async () => {
      isStopping = true;
      await talking;
    },
  };
}
