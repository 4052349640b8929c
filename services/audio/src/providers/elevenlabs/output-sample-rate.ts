/**
 * Sample rate in Hz that is requested: OpenAI's own, so that no resampling is needed, and the highest that every ElevenLabs plan includes.
 */
export const OUTPUT_SAMPLE_RATE_HZ = 24_000;
