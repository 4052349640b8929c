import { type Attributes } from '@parley/kit/telemetry/span';

/** Attributes of a span by the semantic conventions for generative AI, which have no operation of their own for speech (ADR 0055). */
function generated(outputType: 'speech' | 'text', provider: string, model: string): Attributes {
  return {
    'gen_ai.operation.name': 'generate_content',
    'gen_ai.output.type': outputType,
    ...(provider !== '' && { 'gen_ai.provider.name': provider }),
    ...(model !== '' && { 'gen_ai.request.model': model }),
  };
}

/** Of a text that is spoken. Empty: not known, or left to the provider. */
export function speechAttributes({ provider, model }: { provider: string; model: string }): Attributes {
  return generated('speech', provider, model);
}

/** Of a recording that is transcribed. Empty: not known. */
export function transcriptionAttributes({ provider, model }: { provider: string; model: string }): Attributes {
  return generated('text', provider, model);
}
