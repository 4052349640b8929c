import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { type BeginTurn } from '@parley/protos/conversation/v1/conversation';
import fc from 'fast-check';
import { ConversationClient } from './conversation-client.ts';
import { type Fixture, type Running, createFixture } from './fixture.ts';
import {
  type TurnScriptOutcome,
  type Script,
  answerTo,
  anyScript,
  expectedHistory,
  isRepetition,
  recordOf,
  textOf,
} from './scripted-turns.ts';
import { type TurnClient, newBeginTurn, newCaller, newEndTurn, nextBeginTurn } from './turn-client.ts';

const ENDS: Record<TurnScriptOutcome, { status: string; finishReason: string }> = {
  completed: { status: 'completed', finishReason: 'stop' },
  refused: { status: 'failed', finishReason: '' },
  broken: { status: 'failed', finishReason: 'error' },
  'broken at once': { status: 'failed', finishReason: 'error' },
  interrupted: { status: 'interrupted', finishReason: '' },
  'interrupted at once': { status: 'interrupted', finishReason: '' },
};

const message = (role: string, text: string) => ({ id: uuidv7(), role, text, parts: [], files: [] });

describe('replayed history', () => {
  let fixture: Fixture;
  let running: Running;
  beforeAll(async () => {
    fixture = await createFixture();
    running = await fixture.start({});
  });
  afterAll(() => fixture.close());

  /** Runs a script; returns the turns that it began. */
  async function play(client: TurnClient, script: Script): Promise<BeginTurn[]> {
    const { imported, turns } = script;
    const conversationId = uuidv7();
    if (imported > 0) {
      const messages = recordOf({ ...script, turns: [] }).map(({ role, content }) => ({ role, text: content }));
      await new ConversationClient(running, client.caller).import(messages, { conversationId });
    }
    const begun: BeginTurn[] = [];
    for (const [at, { fate, brings }] of turns.entries()) {
      const before = begun.at(-1);
      const messages = isRepetition(script, at) ? [] : brings.map((role, position) => message(role, textOf(at, position)));
      const opening = newBeginTurn({ conversationId, messages });
      const start = before ? nextBeginTurn(before, { messages }) : { ...opening, ...(imported > 0 && { newConversation: undefined }) };
      const ended = { ...ENDS[fate], text: answerTo(fate, at) };
      await Promise.all([client.begin(start), client.end(newEndTurn(start, ended))]);
      begun.push(start);
    }
    return begun;
  }

  const historyBefore = async (client: TurnClient, { conversationId }: BeginTurn, beforeTurnId: string) => {
    const { messages } = await client.listHistory({ conversationId, beforeTurnId });
    return messages.map(({ role, text }) => `${role}: ${text}`);
  };

  it('equals a model of the conversation, and the list has all messages', async () => {
    const script = anyScript.filter(({ turns }) => turns.length > 0);
    await fc.assert(
      fc.asyncProperty(script, async (given) => {
        const client = running.as(newCaller());
        const begun = await play(client, given);
        const last = begun.at(-1) ?? newBeginTurn();
        const binding = await client.open(last.conversationId);
        expect(binding.started).toBe(given.turns.some(({ fate }) => fate !== 'refused'));
        await expectShown(client, given, last.conversationId);
        const asks = [...(given.asksWithSystem ? [message('system', 'asking')] : []), message('user', 'asking')];
        const asking = nextBeginTurn(last, { messages: asks });
        await client.begin(asking);
        expect(await historyBefore(client, asking, asking.turnId)).toEqual(expectedHistory(given));
        await expectBeforeTheLastAsked(client, given, begun, binding.lastTurn?.askedTurnId ?? '');
      }),
      { numRuns: 40 },
    );
  });

  /** All messages except answers that a repetition replaced. */
  async function expectShown(client: TurnClient, given: Script, conversationId: string): Promise<void> {
    const shown = await new ConversationClient(running, client.caller).said(conversationId);
    const isShown = ({ role, sequence }: { role: string; sequence: number }, at: number, all: { sequence: number }[]) =>
      role !== 'assistant' || all[at + 1]?.sequence === sequence || sequence === 0 || !isRepetition(given, sequence);
    expect(shown).toEqual(
      recordOf(given)
        .filter(isShown)
        .map(({ role, content }) => `${role}: ${content}`),
    );
  }

  /** The history when the last turn is repeated: the messages before its question. */
  async function expectBeforeTheLastAsked(
    client: TurnClient,
    given: Script,
    begun: readonly BeginTurn[],
    askedTurnId: string,
  ): Promise<void> {
    const asked = begun.findIndex(({ turnId }) => turnId === askedTurnId);
    const brings = given.turns[asked]?.brings ?? [];
    const before = { ...given, turns: given.turns.slice(0, asked), asksWithSystem: brings.includes('system') };
    expect(await historyBefore(client, begun[asked] ?? newBeginTurn(), askedTurnId)).toEqual(expectedHistory(before));
  }
});
