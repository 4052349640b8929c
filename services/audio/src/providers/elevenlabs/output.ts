/** OpenAI's own rate, which needs no work here, and the highest that every plan of theirs includes. */
export const PCM_HZ = 24_000;
