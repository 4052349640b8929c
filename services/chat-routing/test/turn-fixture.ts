import { type ListenAddress } from '@parley/kit/rpc/serve';
import { type Client } from './client.ts';
import { type RecordedTurn } from './fake-conversation.ts';
import { connectAccount, type TestFixture, newCaller, openFixture, type Running } from './fixture.ts';
import { answering } from './openai-script.ts';

/** How the service reaches the record in tests of turns: no difference may show. */
export const LISTEN: ListenAddress[] = ['in-process', '127.0.0.1:0'];

/** A fixture with one running service, and a client whose workspace has an account. */
export async function openTurnFixture(listen: ListenAddress): Promise<{ fixture: TestFixture; running: Running; client: Client }> {
  const fixture = await openFixture(listen);
  const running = await fixture.start({ listen });
  const client = running.as(newCaller());
  fixture.upstream.script = answering('');
  await connectAccount(fixture, running, client.caller);
  return { fixture, running, client };
}

/** No faults of the record, nothing received yet, and an upstream that answers `Hi there`. */
export function settle(fixture: TestFixture): void {
  fixture.conversation.before = () => undefined;
  fixture.conversation.after = () => undefined;
  fixture.upstream.script = answering('Hi there');
  fixture.upstream.received.length = 0;
}

/** The last turn of a conversation. */
export function findTurn(fixture: TestFixture, conversationId: string | undefined): RecordedTurn | undefined {
  return fixture.conversation.turnsOf(conversationId ?? '').at(-1);
}

/** The last turn of all. */
export function lastTurn(fixture: TestFixture): RecordedTurn | undefined {
  return [...fixture.conversation.turns.values()].at(-1);
}
