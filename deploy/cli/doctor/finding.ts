/** What one check of the doctor found. */
export interface Finding {
  name: string;
  state: 'ok' | 'warning' | 'failed' | 'skipped';
  detail: string;
  /** What to do about it. */
  advice?: string;
}
