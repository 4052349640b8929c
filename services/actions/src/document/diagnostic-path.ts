import { escapeToken } from '../expressions/json-pointer.ts';

/** A problem of a document. */
export interface Finding {
  /** JSON Pointer into the document. */
  path: string;
  /** A sentence for its author. */
  message: string;
}

/** A path in a document at which findings are reported. */
export class DiagnosticPath {
  readonly path: string;
  readonly #findings: Finding[];

  constructor(findings: Finding[], path = '') {
    this.#findings = findings;
    this.path = path;
  }

  /** A path below this one. */
  at(...names: readonly (string | number)[]): DiagnosticPath {
    return new DiagnosticPath(
      this.#findings,
      names.reduce<string>((path, name) => `${path}/${escapeToken(name)}`, this.path),
    );
  }

  /** Reports a finding at this path. */
  report(message: string): void {
    this.#findings.push({ path: this.path, message });
  }
}
