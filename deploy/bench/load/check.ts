import { type Expectation } from '../mock/scripts.ts';
import { type Answer } from './connection.ts';

/** What is wrong with an answer, in a few words; undefined when it is complete and correct. */
export function problemOf(answer: Answer, expect: Expectation): string | undefined {
  if (answer.status !== 200) return `status ${answer.status}`;
  if (answer.streamed !== expect.streamed) return expect.streamed ? 'not a stream' : 'a stream';
  if (expect.streamed && !answer.done) return 'no [DONE]';
  if (answer.pieces !== expect.pieces) return `${answer.pieces} of ${expect.pieces} chunks`;
  if (answer.textBytes !== expect.textBytes) return `${answer.textBytes} of ${expect.textBytes} text bytes`;
  return undefined;
}
