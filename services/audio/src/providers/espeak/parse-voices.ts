import { type SpeechVoice } from '../../domain/voice.ts';

/** A line of the list: priority, language, age and gender, name, file; other languages follow. */
const LINE = /^\s*\d+\s+(\S+)\s+\S*\/([FM-])\s+(\S+)\s+\S+/;
/** Voice ids that can be passed to the program and cannot be mistaken for an option. */
const ID = /^[a-z][\w-]{1,40}$/i;

const GENDERS: Readonly<Record<string, SpeechVoice['gender']>> = { F: 'female', M: 'male' };

const SAMPLE_RATE = 22_050;

/** Parses the output of `espeak-ng --voices`: one voice for each language, English ones first because the first is the default. */
export function parseVoices(list: string): SpeechVoice[] {
  const voices = new Map<string, SpeechVoice>();
  for (const line of list.split('\n')) {
    const [, id = '', gender = '', name = ''] = LINE.exec(line) ?? [];
    if (!ID.test(id) || voices.has(id)) continue;
    voices.set(id, {
      id,
      name: name.replaceAll('_', ' ').trim(),
      ...toLocale(id),
      gender: GENDERS[gender] ?? 'neutral',
      sampleRate: SAMPLE_RATE,
    });
  }
  return [...voices.values()].sort((a, b) => rank(a) - rank(b));
}

function rank({ id, language }: SpeechVoice): number {
  return id === 'en-us' ? 0 : language === 'en' ? 1 : 2;
}

/** Returns language and dialect of a voice id; not all of the program's ids are valid BCP 47 tags. */
function toLocale(id: string): Pick<SpeechVoice, 'language' | 'dialect'> {
  try {
    const locale = new Intl.Locale(id);
    return { language: locale.language, dialect: locale.baseName === locale.language ? '' : locale.toString() };
  } catch {
    return { language: id.split('-')[0] ?? id, dialect: id };
  }
}
