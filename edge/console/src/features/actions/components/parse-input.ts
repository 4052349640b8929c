import { type ActionInput } from '../queries/catalog.ts';

/** What a control of the form holds: text, a yes or no, or chosen files. */
export type RawValue = string | boolean | FileList | null | undefined;

/** What is wrong with what was entered; names of texts. */
export type InputFault = 'required' | 'number' | 'integer' | 'json' | 'object' | 'array';

/** The input that a control contains: a value, a file to upload, a fault, or no input. */
export type ParsedInput = { value: unknown } | { file: File } | { fault: InputFault } | 'absent';

/** Parses what was entered for an input as the type that the action declares. An empty control omits an optional input. */
export function parseInput({ type, required }: Pick<ActionInput, 'type' | 'required'>, raw: RawValue): ParsedInput {
  if (type === 'file') {
    const file = raw instanceof Object && 'item' in raw ? raw[0] : undefined;
    return file ? { file } : absent(required);
  }
  if (type === 'boolean') return raw === 'true' ? { value: true } : raw === 'false' ? { value: false } : absent(required);
  const text = typeof raw === 'string' ? raw : '';
  if (text.trim() === '') return absent(required);
  switch (type) {
    case 'string':
      return { value: text };
    case 'number':
    case 'integer':
      return readNumber(text, type);
    case 'object':
    case 'array':
      return readJson(text, type);
  }
}

function absent(required: boolean): ParsedInput {
  return required ? { fault: 'required' } : 'absent';
}

function readNumber(text: string, type: 'number' | 'integer'): ParsedInput {
  const value = Number(text);
  if (!Number.isFinite(value)) return { fault: 'number' };
  return type === 'integer' && !Number.isInteger(value) ? { fault: 'integer' } : { value };
}

function readJson(text: string, type: 'object' | 'array'): ParsedInput {
  try {
    const value: unknown = JSON.parse(text);
    const isArray = Array.isArray(value);
    if (type === 'array') return isArray ? { value } : { fault: 'array' };
    return typeof value === 'object' && value !== null && !isArray ? { value } : { fault: 'object' };
  } catch {
    return { fault: 'json' };
  }
}

/** Finds the input that an error's `param` names: `input.city` and `input.items[0]` name `city` and `items`. */
export function findInputOfParam(param: string | undefined, names: readonly string[]): string | undefined {
  if (!param?.startsWith('input.')) return undefined;
  const rest = param.slice('input.'.length);
  return names.find((name) => rest === name || rest.startsWith(`${name}.`) || rest.startsWith(`${name}[`));
}
