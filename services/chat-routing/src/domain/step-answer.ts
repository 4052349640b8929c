import { GatewayError } from '@parley/protos/errors';
import { type ConnectStep, maxLengthOf, type StepAnswer, type StepField } from './connect-step.ts';

/** Control characters have no place in what is typed into one line. */
const CONTROL = /\p{Cc}/u;
const SPACED = /[\s-]/g;

/**
 * Checks an answer against its step. Values lose the white space around them, passwords aside, and codes the one within. Throws
 * CONNECT_STEP_INVALID, with the name of the field and never with what was typed.
 */
export function readAnswer(step: ConnectStep, { values, action }: StepAnswer): StepAnswer {
  if (action !== '') return readAction(step, { values, action });
  const unknown = Object.keys(values).find((name) => !step.fields.some((field) => field.name === name));
  if (unknown !== undefined) throw invalid('the step has no such field', unknown.slice(0, 64));
  const read = step.fields.flatMap((field) => {
    const value = readValue(field, Object.hasOwn(values, field.name) ? (values[field.name] ?? '') : '');
    return value === '' ? [] : [[field.name, value] as const];
  });
  return { values: Object.fromEntries(read), action };
}

function readAction({ actions = [] }: ConnectStep, { values, action }: StepAnswer): StepAnswer {
  if (!actions.some(({ name }) => name === action)) throw invalid('the step has no such action', 'action');
  if (Object.keys(values).length > 0) throw invalid('an action takes no answers', 'answers');
  return { values: {}, action };
}

function readValue(field: StepField, typed: string): string {
  const { name, kind, choices = [] } = field;
  if (typed.length > maxLengthOf(field)) throw invalid(`at most ${maxLengthOf(field)} characters`, name);
  const value = kind === 'password' ? typed : kind === 'one_time_code' ? typed.replaceAll(SPACED, '') : typed.trim();
  if (value === '') {
    if (field.required) throw invalid('this is missing', name);
    return '';
  }
  if (kind !== 'password' && CONTROL.test(value)) throw invalid('control characters are not possible here', name);
  if (kind === 'choice' && !choices.some((choice) => choice.value === value)) throw invalid('this is none of the choices', name);
  return value;
}

function invalid(message: string, param: string): GatewayError {
  return new GatewayError('CONNECT_STEP_INVALID', message, { param });
}
