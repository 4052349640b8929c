import { escapeToken } from '../expressions/json-pointer.ts';

/** A problem of a document. */
export interface Finding {
  /** JSON Pointer into the document. */
  path: string;
  /** A sentence for the author of the document. */
  message: string;
}

/** Reports findings at a path of a document. */
export class FindingReporter {
  readonly path: string;
  readonly #findings: Finding[];

  constructor(findings: Finding[], path = '') {
    this.#findings = findings;
    this.path = path;
  }

  /** Returns a reporter for a path below this one. */
  at(...names: readonly (string | number)[]): FindingReporter {
    return new FindingReporter(
      this.#findings,
      names.reduce<string>((path, name) => `${path}/${escapeToken(name)}`, this.path),
    );
  }

  /** Reports a finding at this path. */
  report(message: string): void {
    this.#findings.push({ path: this.path, message });
  }
}
