import { type ConnectStep, type StepField } from '../../domain/connect-step.ts';
import { type ConnectionTraits } from '../provider.ts';
import { type FormTexts } from './texts.ts';

/** A key in JSON has a certificate in it. */
const DOCUMENT_LENGTH = 16_384;

/** The one question of a form: where the upstream is, which account, and the key. A connection that is there is asked for its key alone. */
export function formStep(traits: ConnectionTraits, texts: FormTexts, reconnects: boolean): ConnectStep {
  const key: StepField = {
    ...{ name: 'api_key', label: texts.key ?? 'API key', kind: 'password', required: traits.needsSecret },
    ...(texts.isDocument && { maxLength: DOCUMENT_LENGTH }),
  };
  return {
    kind: 'password',
    message: reconnects ? `Enter the new key of ${texts.title}.` : `Enter how ${texts.title} is reached. It is tried at once.`,
    fields: reconnects ? [key] : [...accountField(texts), ...baseUrlField(traits), key, ...modelsField(traits)],
  };
}

function accountField({ account }: FormTexts): StepField[] {
  if (!account) return [];
  const { label, placeholder, isOptional = false } = account;
  return [{ name: 'account', label, placeholder, kind: 'text', required: !isOptional }];
}

function baseUrlField({ baseUrl }: ConnectionTraits): StepField[] {
  const placeholder = typeof baseUrl === 'string' ? baseUrl : baseUrl ? '' : 'https://…/v1';
  return [{ name: 'base_url', label: 'Base URL', kind: 'url', placeholder, required: baseUrl === undefined }];
}

/** Only where the provider may list none. */
function modelsField({ purpose, trustsNamedModels, baseUrl }: ConnectionTraits): StepField[] {
  if (purpose === 'api' || !(trustsNamedModels || typeof baseUrl === 'function')) return [];
  const label = 'Models, with commas between them, if the server lists none';
  return [{ name: 'models', label, kind: 'text', required: false, maxLength: 4_096 }];
}
