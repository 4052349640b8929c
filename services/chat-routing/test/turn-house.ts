import { type Listen } from '@parley/kit/rpc/serve';
import { type Client } from './client.ts';
import { type RecordedTurn } from './fake-conversation.ts';
import { connectAccount, type House, newCaller, openHouse, type Running } from './house.ts';
import { answering } from './openai-script.ts';

/** How the service reaches the record in tests of turns: no difference may show. */
export const LISTEN: Listen[] = ['in-process', '127.0.0.1:0'];

/** A house with one running service, and a client whose workspace has an account. */
export async function openTurnHouse(listen: Listen): Promise<{ house: House; running: Running; client: Client }> {
  const house = await openHouse(listen);
  const running = await house.start({ listen });
  const client = running.as(newCaller());
  house.upstream.script = answering('');
  await connectAccount(house, running, client.caller);
  return { house, running, client };
}

/** No faults of the record, nothing received yet, and an upstream that answers `Hi there`. */
export function settle(house: House): void {
  house.conversation.before = () => undefined;
  house.conversation.after = () => undefined;
  house.upstream.script = answering('Hi there');
  house.upstream.received.length = 0;
}

/** The last turn of a conversation. */
export function turnOf(house: House, conversationId: string | undefined): RecordedTurn | undefined {
  return house.conversation.turnsOf(conversationId ?? '').at(-1);
}

/** The last turn of all. */
export function lastTurn(house: House): RecordedTurn | undefined {
  return [...house.conversation.turns.values()].at(-1);
}
