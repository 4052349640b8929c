import addFormats from 'ajv-formats';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { type OpenApi } from './document.ts';

/** What is wrong with a value, in words; undefined when nothing is. */
export type Check = (pointer: string, value: unknown) => string | undefined;

/** Checks of what is sent, as it is described, and of what is answered, where fields without a description are wrong as well. */
export interface Checks {
  sent: Check;
  answered: Check;
}

/** The checks of a document; a schema is compiled when it is first needed. */
export function checksOf(document: OpenApi): Checks {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'sent:', ...document });
  ajv.addSchema({ $id: 'answered:', ...(closed(document) as object) });
  const check = (id: string): Check => {
    return (pointer, value) => {
      const validate = ajv.getSchema(`${id}${pointer}`);
      if (!validate) throw new Error(`the document has nothing at ${pointer}`);
      return validate(value) ? undefined : inWords(validate.errors ?? []);
    };
  };
  return { sent: check('sent:'), answered: check('answered:') };
}

/** The same schemas, in which an object has no fields but those that are described. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, closed(value)]));
  const isOpen = 'properties' in copy && 'type' in copy && !('additionalProperties' in copy);
  return isOpen ? { ...copy, additionalProperties: false } : copy;
}

function inWords(errors: readonly ErrorObject[]): string {
  return errors
    .slice(0, 3)
    .map(({ instancePath, message, params }) => `${instancePath || 'the whole'} ${message} ${JSON.stringify(params)}`)
    .join('; ');
}
