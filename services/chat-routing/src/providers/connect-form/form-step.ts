import { type ConnectStep, type StepField } from '../../domain/connect-step.ts';
import { type ConnectionTraits } from '../provider.ts';
import { type FormTexts } from './texts.ts';

/** Maximum length of a JSON key, which contains a private key in PEM. */
const DOCUMENT_LENGTH = 16_384;

/** Builds the form: account, base URL, key and models, as the provider needs them; only the key when a connection is reconnected. */
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

/** Field for model names; only for providers that may have no model list. */
function modelsField({ purpose, trustsNamedModels, baseUrl }: ConnectionTraits): StepField[] {
  if (purpose === 'api' || !(trustsNamedModels || typeof baseUrl === 'function')) return [];
  const label = 'Models, with commas between them, if the server lists none';
  return [{ name: 'models', label, kind: 'text', required: false, maxLength: 4_096 }];
}
