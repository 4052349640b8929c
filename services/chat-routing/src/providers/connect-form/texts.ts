/** Texts of a provider's connect form. */
export interface FormTexts {
  /** Display name of the provider. */
  title: string;
  /** Texts of the account field; unset for providers without an account. */
  account?: { label: string; placeholder: string; isOptional?: true };
  /** Label of the key field. @default API key */
  key?: string;
  /** The key is a multi-line document, such as JSON. */
  isDocument?: true;
}

/** Form texts by provider name. A provider without an entry uses its name as title and has no account field. */
export const FORM_TEXTS: Readonly<Record<string, FormTexts>> = {
  openai: { title: 'OpenAI' },
  'openai-compatible': { title: 'OpenAI-compatible server' },
  anthropic: { title: 'Anthropic' },
  google: { title: 'Google Gemini' },
  'google-vertex': {
    title: 'Google Vertex AI',
    account: { label: 'Location, or project/location', placeholder: 'europe-west4' },
    key: 'Key of a service account (JSON)',
    isDocument: true,
  },
  azure: { title: 'Azure OpenAI', account: { label: 'Name of the resource', placeholder: 'my-resource' } },
  bedrock: {
    title: 'Amazon Bedrock',
    account: { label: 'Region', placeholder: 'eu-central-1' },
    key: 'API key, or access key id:secret access key',
  },
  mistral: { title: 'Mistral' },
  groq: { title: 'Groq' },
  xai: { title: 'xAI' },
  deepseek: { title: 'DeepSeek' },
  cohere: { title: 'Cohere' },
  elevenlabs: { title: 'ElevenLabs' },
  'openai-speech': { title: 'Speech server (OpenAI-compatible)' },
  'openai-transcription': { title: 'Transcription server (OpenAI-compatible)' },
  'http-api': {
    title: 'HTTP API',
    account: { label: 'Header for the key', placeholder: 'Authorization: Bearer', isOptional: true },
    key: 'Key',
  },
};
