import { GatewayError } from '@parley/protos/errors';
import { type ConnectStep, getMaxLength, type StepAnswer, type StepField } from './connect-step.ts';

/** Control characters, which are not accepted in single-line input. */
const CONTROL = /\p{Cc}/u;
const SPACED = /[\s-]/g;

/**
 * Validates an answer against its step and returns it normalized: values are trimmed except passwords, one-time codes lose all spaces and
 * dashes, and empty values are left out. Throws CONNECT_STEP_INVALID, which names the field but never contains the typed value.
 */
export function parseStepAnswer(step: ConnectStep, { values, action }: StepAnswer): StepAnswer {
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
  if (typed.length > getMaxLength(field)) throw invalid(`at most ${getMaxLength(field)} characters`, name);
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
