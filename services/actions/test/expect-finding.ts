import { expect } from '@jest/globals';
import { checkDocument } from '../src/document/check-document.ts';
import { type Edits, noteDocument } from './documents.ts';

/** A name, what is changed in a document that is right, where the finding is, and what it says. */
export type FindingRow = [name: string, edits: Edits, path: string, message: RegExp];

/** Checks that a changed document has this finding, and is not published. */
export function expectFinding(edits: Edits, path: string, message: RegExp): void {
  const { findings, compilation } = checkDocument(noteDocument(edits));
  expect(findings).toContainEqual({ path, message: expect.stringMatching(message) as unknown });
  expect(compilation).toBeUndefined();
}
