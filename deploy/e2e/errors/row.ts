import { expect } from '@jest/globals';
import { ERROR_CATALOGUE, type ErrorCondition } from '@parley/protos/error-catalogue';
import { type ShownRun } from '../harness/actions.ts';
import { expectRefusal, type Judged } from '../harness/expectations.ts';
import { type Gateway } from '../harness/parley.ts';

/** Makes a gateway answer with an error; gives that answer. */
export type Provoke = (gateway: Gateway) => Promise<Judged>;

/** What the answer says beside what the catalogue says of its condition. */
export interface Says {
  /** What is at fault. @default nothing is named */
  param?: string;
  /** How long to wait is known. @default false */
  waits?: boolean;
  headers?: Readonly<Record<string, RegExp>>;
}

/** A row of the table of errors: the condition, when it comes about, how to bring it about, and what the answer says. */
export type Row = readonly [condition: ErrorCondition, when: string, provoke: Provoke, says?: Says];

/** A row of a condition that no request is refused with: a run that was accepted ends with it. */
export type FailedRow = readonly [condition: ErrorCondition, when: string, run: (gateway: Gateway) => Promise<ShownRun>];

/** The longest wait that clients of OpenAI's make have the patience for. */
const PATIENCE_SECONDS = 60;

/** Expects an answer to be the refusal of a condition, with the headers that go with it. */
function expectCondition(answer: Judged, condition: ErrorCondition, { param, waits = false, headers = {} }: Says = {}): void {
  const { code, http, retryable } = ERROR_CATALOGUE[condition];
  expectRefusal(answer, { status: http, code, ...(param !== undefined && { param }) });
  if (param === undefined) expect(answer.json).not.toHaveProperty('error.param');
  const wait = answer.headers.get('retry-after');
  if (waits) expect(wait).toMatch(/^[1-9]\d*$/);
  else expect(wait).toBeNull();
  const isHopeless = retryable === false || Number(wait) > PATIENCE_SECONDS;
  expect(answer.headers.get('x-should-retry')).toBe(isHopeless ? 'false' : null);
  for (const [name, pattern] of Object.entries(headers)) expect(answer.headers.get(name)).toMatch(pattern);
}

/** Runs a row in a gateway. */
export async function check(gateway: Gateway, [condition, , provoke, says]: Row): Promise<void> {
  expectCondition(await provoke(gateway), condition, says);
}

/** Runs a row whose run fails in a gateway: the run says of its error what the catalogue says of the condition. */
export async function checkRun(gateway: Gateway, [condition, , run]: FailedRow): Promise<void> {
  const { code, type, retryable } = ERROR_CATALOGUE[condition];
  const error = { code, type, retryable, message: expect.stringMatching(/./) };
  expect(await run(gateway)).toMatchObject({ status: 'failed', verdict: 'failed', output: null, error });
}
