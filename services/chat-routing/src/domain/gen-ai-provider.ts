/** Names of providers in the GenAI conventions, where they differ from ours (https://opentelemetry.io/docs/specs/semconv/registry/attributes/gen-ai/). */
const NAMES: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  google: 'gcp.gemini',
  'google-vertex': 'gcp.vertex_ai',
  mistral: 'mistral_ai',
  xai: 'x_ai',
};

/** `gen_ai.provider.name` of a provider; its own name where the conventions have none. */
export function toGenAiProvider(provider: string): string {
  return NAMES[provider] ?? provider;
}
