import { type ActionDocument, type Validation } from '@parley/protos/actions/v1/actions';
import { checkDocument } from '../document/check-document.ts';

/** Checks a document and returns its findings; publishes nothing. */
export async function validateDocument(request: ActionDocument): Promise<Validation> {
  const { slug, findings } = checkDocument(request);
  return { slug, findings: [...findings] };
}
