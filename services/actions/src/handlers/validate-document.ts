import { type ActionDocument, type Validation } from '@parley/protos/actions/v1/actions';
import { examine } from '../document/examine.ts';

/** Answers what is wrong with a document, and changes nothing. */
export async function validateDocument(request: ActionDocument): Promise<Validation> {
  const { slug, findings } = examine(request);
  return { slug, findings: [...findings] };
}
