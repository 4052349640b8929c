import { describe, expect, it } from '@jest/globals';
import { findVoice, OPENAI_VOICE_GENDERS, type SpeechVoice } from './voice.ts';

const voice = (id: string, gender: SpeechVoice['gender']): SpeechVoice => ({
  id,
  name: id,
  language: 'en',
  dialect: '',
  gender,
  sampleRate: 16_000,
});
const VOICES = [voice('rms', 'male'), voice('slt', 'female'), voice('Nova', 'male')];
const find = (name: string, voices: readonly SpeechVoice[] = VOICES) => findVoice(voices, name)?.id;

describe('findVoice', () => {
  it('goes by the id, whatever the case, before what OpenAI means by the name', () => {
    expect([find('SLT'), find('rms'), find('nova')]).toEqual(['slt', 'rms', 'Nova']);
  });

  it('gives OpenAI’s names the first voice that sounds like it, else the first', () => {
    expect([find('shimmer'), find('ONYX'), find('alloy')]).toEqual(['slt', 'rms', 'rms']);
    for (const name of Object.keys(OPENAI_VOICE_GENDERS)) expect(find(name)).toBeDefined();
  });

  it.each(['', 'unknown', 'toString', '__proto__'])('knows no voice %j', (name) => expect(find(name)).toBeUndefined());

  it('has nothing to give where there are no voices', () => expect(find('alloy', [])).toBeUndefined());
});
