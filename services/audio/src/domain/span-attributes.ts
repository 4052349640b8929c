import { type Attributes } from '@parley/kit/telemetry/span';

/** Attributes of a span by the semantic conventions for generative AI, which define no operation for speech (ADR 0055). */
function generated(outputType: 'speech' | 'text', provider: string, model: string): Attributes {
  return {
    'gen_ai.operation.name': 'generate_content',
    'gen_ai.output.type': outputType,
    ...(provider !== '' && { 'gen_ai.provider.name': provider }),
    ...(model !== '' && { 'gen_ai.request.model': model }),
  };
}

/** Returns the attributes of a speech span; empty values are omitted. */
export function speechAttributes({ provider, model }: { provider: string; model: string }): Attributes {
  return generated('speech', provider, model);
}

/** Returns the attributes of a transcription span; empty values are omitted. */
export function transcriptionAttributes({ provider, model }: { provider: string; model: string }): Attributes {
  return generated('text', provider, model);
}
