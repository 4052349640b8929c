import { describe, expect, it } from '@jest/globals';
import { type ConnectStep } from './connect-step.ts';
import { parseStepAnswer } from './step-answer.ts';

const STEP: ConnectStep = {
  kind: 'password',
  message: 'Fill in.',
  fields: [
    { name: 'name', label: 'Name', kind: 'text', required: true, maxLength: 8 },
    { name: 'password', label: 'Password', kind: 'password', required: false },
    { name: 'code', label: 'Code', kind: 'one_time_code', required: false },
    { name: 'way', label: 'Way', kind: 'choice', required: false, choices: [{ value: 'app', label: 'App' }] },
  ],
  actions: [{ name: 'resend', label: 'Another code' }],
};
const read = (values: Record<string, string>, action = '') => parseStepAnswer(STEP, { values, action });

describe('an answer to a step', () => {
  it('loses what a person types around it, passwords aside', () => {
    expect(read({ name: ' Ada ', password: ' pass word ', code: '123 456-', way: 'app' })).toEqual({
      values: { name: 'Ada', password: ' pass word ', code: '123456', way: 'app' },
      action: '',
    });
  });

  it('has no empty values', () => {
    expect(read({ name: 'Ada', password: '', code: ' ' }).values).toEqual({ name: 'Ada' });
  });

  it('may be an action', () => {
    expect(read({}, 'resend')).toEqual({ values: {}, action: 'resend' });
  });

  it.each<[string, Record<string, string>, string, string]>([
    ['misses a field', {}, '', 'name'],
    ['leaves a required field empty', { name: '  ' }, '', 'name'],
    ['has a field that there is not', { name: 'Ada', toString: 'x' }, '', 'toString'],
    ['is too long', { name: 'a'.repeat(9) }, '', 'name'],
    ['has two lines', { name: 'a\nb' }, '', 'name'],
    ['is none of the choices', { name: 'Ada', way: 'sms' }, '', 'way'],
    ['is an action that there is not', {}, 'other', 'action'],
    ['is an action with values', { name: 'Ada' }, 'resend', 'answers'],
  ])('is refused when it %s, without repeating it', (_name, values, action, param) => {
    let error: unknown;
    try {
      read(values, action);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ condition: 'CONNECT_STEP_INVALID', param });
    expect((error as Error).message).not.toMatch(/Ada|aaa|sms/);
  });
});
