import { escapeToken } from '../expressions/json-pointer.ts';

/** Something that is wrong with a document. */
export interface Finding {
  /** JSON Pointer into the document. */
  path: string;
  /** A sentence for its author. */
  message: string;
}

/** A place in a document, to say what is wrong there. */
export class Spot {
  readonly path: string;
  readonly #findings: Finding[];

  constructor(findings: Finding[], path = '') {
    this.#findings = findings;
    this.path = path;
  }

  /** A place inside this one. */
  at(...names: readonly (string | number)[]): Spot {
    return new Spot(
      this.#findings,
      names.reduce<string>((path, name) => `${path}/${escapeToken(name)}`, this.path),
    );
  }

  /** Says what is wrong here. */
  say(message: string): void {
    this.#findings.push({ path: this.path, message });
  }
}
