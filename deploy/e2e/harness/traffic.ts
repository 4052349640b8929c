import { setTimeout as sleep } from 'node:timers/promises';
import { type Ledger } from './ledger.ts';
import { type TurnResult } from './turn-result.ts';

/** What clients do at the same time. */
export interface TrafficOptions {
  /** Streams that are open at any time, and the words of each. */
  streams: number;
  words: number;
  /** Short turns that begin in a second, whatever became of those before. */
  perSecond: number;
}

/** Clients that go on until they are stopped. */
export interface Traffic {
  /** Short turns that have ended, and streams. */
  readonly turns: number;
  readonly streams: number;
  /** Ends the traffic once every turn under way is over. */
  stop(): Promise<void>;
}

/** A client whose turn did not end well waits before the next. */
const AGAIN_MS = 200;

/** Starts slow streams and short turns; about half of the short ones go on with a conversation, each of which has one turn at a time. */
export function startTraffic(ledger: Ledger, { streams, words, perSecond }: TrafficOptions): Traffic {
  let isStopping = false;
  const ended = { turns: 0, streams: 0 };
  const listen = async () => {
    while (!isStopping) {
      const { outcome } = await ledger.turn({ words });
      ended.streams++;
      if (outcome !== 'completed') await sleep(AGAIN_MS);
    }
  };
  const idle: string[] = [];
  const talk = async () => {
    const conversation = Math.random() < 0.5 ? idle.pop() : undefined;
    const heard: TurnResult = await ledger.turn({ words: 1, conversation });
    ended.turns++;
    if (heard.outcome === 'completed' && heard.conversation !== undefined) idle.push(heard.conversation);
  };
  const short = async () => {
    const underWay = new Set<Promise<void>>();
    while (!isStopping) {
      const turn: Promise<void> = talk().finally(() => underWay.delete(turn));
      underWay.add(turn);
      await sleep(1_000 / perSecond);
    }
    await Promise.all(underWay);
  };
  const all = Promise.all([...Array.from({ length: streams }, listen), short()]);
  return {
    get turns() {
      return ended.turns;
    },
    get streams() {
      return ended.streams;
    },
    stop: async () => {
      isStopping = true;
      await all;
    },
  };
}
