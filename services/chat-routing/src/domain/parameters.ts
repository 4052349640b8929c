/** Sampling parameters of the Chat Completions API that a connection may pass on. */
export const PARAMETERS = [
  'temperature',
  'top_p',
  'max_tokens',
  'max_completion_tokens',
  'stop',
  'seed',
  'response_format',
  'presence_penalty',
  'frequency_penalty',
] as const;

/** Those of these parameters that are known: nothing else of a request ever gets into a body. */
export function knownParameters(parameters: Readonly<Record<string, unknown>>): Partial<Record<(typeof PARAMETERS)[number], unknown>> {
  const known: Partial<Record<(typeof PARAMETERS)[number], unknown>> = {};
  for (const name of PARAMETERS) if (Object.hasOwn(parameters, name)) known[name] = parameters[name];
  return known;
}
