/** Input type of a field. */
type FieldKind = 'text' | 'url' | 'password' | 'one_time_code' | 'choice';

/** One input field of a connect step. */
export interface StepField {
  /** Key of the field in the answer's values. */
  name: string;
  label: string;
  kind: FieldKind;
  required: boolean;
  placeholder?: string;
  /** The options; only for kind `choice`. */
  choices?: readonly { value: string; label: string }[];
  /** Maximum length of the value in characters. @default by its kind */
  maxLength?: number;
}

/** One form of a connect flow: what the user is asked in one step. */
export interface ConnectStep {
  kind: 'text' | 'password' | 'one_time_code' | 'choice' | 'redirect';
  /** Instructions for the user. */
  message: string;
  fields: readonly StepField[];
  /** Actions that the user can choose instead of filling in the fields. */
  actions?: readonly { name: string; label: string }[];
  /** The URL that the user must open; only for kind `redirect`. */
  url?: string;
}

/** The user's answer to a step: the values of its fields, or one of its actions. */
export interface StepAnswer {
  values: Readonly<Record<string, string>>;
  /** Name of the chosen action; empty when the fields were filled in. */
  action: string;
}

const MAX_LENGTHS: Readonly<Record<FieldKind, number>> = { text: 256, url: 2_048, password: 4_096, one_time_code: 32, choice: 64 };

/** The maximum length of a field's value in characters. */
export function getMaxLength({ kind, maxLength = MAX_LENGTHS[kind] }: StepField): number {
  return maxLength;
}
