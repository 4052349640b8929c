/** How a field of a step is filled in. */
type FieldKind = 'text' | 'url' | 'password' | 'one_time_code' | 'choice';

/** One thing that a person is asked. */
export interface StepField {
  /** Its name in the answers. */
  name: string;
  label: string;
  kind: FieldKind;
  required: boolean;
  placeholder?: string;
  /** What can be chosen; only of a choice. */
  choices?: readonly { value: string; label: string }[];
  /** In characters. @default by its kind */
  maxLength?: number;
}

/** What a person is asked at once on the way to a connection. */
export interface ConnectStep {
  kind: 'text' | 'password' | 'one_time_code' | 'choice' | 'redirect';
  /** What to do, in plain words. */
  message: string;
  fields: readonly StepField[];
  /** What can be done instead of an answer. */
  actions?: readonly { name: string; label: string }[];
  /** Where a person goes on who is redirected. */
  url?: string;
}

/** What a person answered to a step: the values of its fields, or one of its actions. */
export interface StepAnswer {
  values: Readonly<Record<string, string>>;
  /** Empty: the fields were answered. */
  action: string;
}

const MAX_LENGTHS: Readonly<Record<FieldKind, number>> = { text: 256, url: 2_048, password: 4_096, one_time_code: 32, choice: 64 };

/** The longest answer that a field takes, in characters. */
export function maxLengthOf({ kind, maxLength = MAX_LENGTHS[kind] }: StepField): number {
  return maxLength;
}
