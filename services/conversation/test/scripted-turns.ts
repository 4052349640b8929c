import fc from 'fast-check';

/** Outcome of a turn. */
export type TurnScriptOutcome = 'completed' | 'refused' | 'broken' | 'broken at once' | 'interrupted' | 'interrupted at once';

/** A turn of a script; one that repeats has no request messages if the previous turn failed. */
export interface ScriptedTurn {
  fate: TurnScriptOutcome;
  repeats: boolean;
  /** Roles of its request messages; only the first turn may have assistant messages. */
  brings: readonly string[];
}

/** A conversation, and the system message of the request that asks for its history. */
export interface Script {
  imported: number;
  turns: readonly ScriptedTurn[];
  asksWithSystem: boolean;
}

const anyFate = fc.constantFrom<TurnScriptOutcome>(
  'completed',
  'refused',
  'broken',
  'broken at once',
  'interrupted',
  'interrupted at once',
);
const anyOpening = fc.constantFrom(
  ['user'],
  ['system', 'user'],
  ['system', 'system', 'user', 'user'],
  ['user', 'assistant', 'user'],
  ['system', 'user', 'assistant', 'user'],
);
const anyQuestion = fc.constantFrom(['user'], ['user', 'user'], ['system', 'user']);

/** Any conversation: imported messages alternate and end with an answer. */
export const anyScript: fc.Arbitrary<Script> = fc
  .record({
    imported: fc.constantFrom(0, 2, 4),
    opening: anyOpening,
    turns: fc.array(fc.record({ fate: anyFate, repeats: fc.boolean(), brings: anyQuestion }), { maxLength: 8 }),
    asksWithSystem: fc.boolean(),
  })
  .map(({ imported, opening, turns, asksWithSystem }) => ({
    ...{ imported, asksWithSystem },
    turns: turns.map((turn, at) => (at === 0 ? { ...turn, brings: imported > 0 ? ['user'] : opening } : turn)),
  }));

/** True when the turn repeats the one before it, which must have failed. */
export function isRepetition({ turns }: Script, at: number): boolean {
  const before = turns[at - 1];
  return before !== undefined && before.fate !== 'completed' && turns[at]?.repeats === true;
}

/** The answer of a turn with this outcome; empty for none. */
export function answerTo(fate: TurnScriptOutcome, at: number): string {
  return fate === 'completed' || fate === 'broken' || fate === 'interrupted' ? `answer ${at}` : '';
}

/** The text of a message of a turn. */
export function textOf(at: number, position: number): string {
  return `${at}.${position}`;
}

/** The recorded messages of a script. */
export function recordOf(script: Script) {
  const { imported, turns } = script;
  const message = (sequence: number, position: number, role: string, content: string, ofTurn = true) => {
    return { id: `${sequence}.${position}`, sequence, position, role, content, ofTurn };
  };
  return [
    ...Array.from({ length: imported }, (_, at) => message(0, at, at % 2 === 0 ? 'user' : 'assistant', `imported ${at}`, false)),
    ...turns.flatMap(({ fate, brings }, at) => {
      const brought = isRepetition(script, at) ? [] : brings;
      const messages = brought.map((role, position) => message(at + 1, position, role, textOf(at, position)));
      return [...messages, message(at + 1, brought.length, 'assistant', answerTo(fate, at))];
    }),
  ];
}

/** The recorded messages before the request that needs the history, with the system message of that request. */
export function sentBefore(record: ReturnType<typeof recordOf>, { asksWithSystem, turns }: Script) {
  const asking = { id: 'asking', sequence: turns.length + 1, position: 0, role: 'system', content: 'asking', ofTurn: true };
  return asksWithSystem ? [...record, asking] : record;
}

/**
 * The expected history of a script, as `role: text`: each question with its last answer, the earlier messages of a request without an
 * answer, and opening system messages unless a later request replaces them.
 */
export function expectedHistory(script: Script): string[] {
  const { imported, turns, asksWithSystem } = script;
  const exchanges: { brought: string[]; answer: string }[] = [];
  turns.forEach(({ fate, brings }, at) => {
    const answer = answerTo(fate, at);
    const asked = exchanges.at(-1);
    if (!isRepetition(script, at)) exchanges.push({ brought: brings.map((role, position) => `${role}: ${textOf(at, position)}`), answer });
    else if (asked && answer) asked.answer = answer;
  });
  const history = Array.from({ length: imported }, (_, at) => `${at % 2 === 0 ? 'user' : 'assistant'}: imported ${at}`);
  let opening: string[] = [];
  for (const { brought, answer } of exchanges) {
    const systems = brought.filter((said) => said.startsWith('system'));
    if (systems.length > 0) opening = [];
    const context = brought.slice(0, brought.findLastIndex((said) => said.startsWith('assistant')) + 1);
    const heard = answer ? [...brought, `assistant: ${answer}`] : context;
    if (heard.length > 0) {
      history.push(...opening, ...heard);
      opening = [];
    } else if (history.length === 0 && systems.length > 0) opening = systems;
  }
  if (!asksWithSystem) history.push(...opening);
  return history;
}
