/** Sampling parameters of the Chat Completions API that a connection may pass on. */
export const SAMPLING_PARAMETERS = [
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

/** Returns the parameters whose names are in `SAMPLING_PARAMETERS`; no other field of a request reaches an upstream body. */
export function pickKnownParameters(
  parameters: Readonly<Record<string, unknown>>,
): Partial<Record<(typeof SAMPLING_PARAMETERS)[number], unknown>> {
  const known: Partial<Record<(typeof SAMPLING_PARAMETERS)[number], unknown>> = {};
  for (const name of SAMPLING_PARAMETERS) if (Object.hasOwn(parameters, name)) known[name] = parameters[name];
  return known;
}
