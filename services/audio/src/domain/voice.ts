/** A voice of a provider. */
export interface SpeechVoice {
  id: string;
  name: string;
  /** ISO 639-1, or `mul` for a voice of many languages. */
  language: string;
  /** BCP 47; empty when unknown. */
  dialect: string;
  gender: 'female' | 'male' | 'neutral';
  /** In Hz; 0 when the server determines it. */
  sampleRate: number;
}

/** OpenAI's voices with their genders. */
export const OPENAI_VOICE_GENDERS: Readonly<Record<string, SpeechVoice['gender']>> = {
  ...{ alloy: 'neutral', ash: 'male', ballad: 'male', coral: 'female', echo: 'male', fable: 'male', nova: 'female', onyx: 'male' },
  ...{ sage: 'female', shimmer: 'female', verse: 'male', marin: 'female', cedar: 'male' },
};

/**
 * Finds the voice that a client names: by its id, ignoring case, or by one of OpenAI's names, which select the first voice of the same
 * gender. Undefined for an unknown name.
 */
export function findVoice(voices: readonly SpeechVoice[], name: string): SpeechVoice | undefined {
  const wanted = name.toLowerCase();
  const own = voices.find(({ id }) => id.toLowerCase() === wanted);
  if (own || !Object.hasOwn(OPENAI_VOICE_GENDERS, wanted)) return own;
  const gender = OPENAI_VOICE_GENDERS[wanted];
  return voices.find((voice) => voice.gender === gender) ?? voices[0];
}
