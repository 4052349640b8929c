import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { wavHeader } from '../src/speech/wav.ts';

/** What a fake program prints as its list of voices. */
const ESPEAK_VOICES = `Pty Language       Age/Gender VoiceName          File                 Other Languages
 5  af              --/M      Afrikaans          gmw/af
 5  en-gb-scotland  --/F      English_(Scotland) gmw/en-GB-scotland   (en 4)
 2  en-us           --/M      English_(America)  gmw/en-US            (en 3)
 5  en-us-nyc       --/-      English_(America,_New_York_City) gmw/en-US-nyc
 5  yue             --/M      Chinese_(Cantonese) sit/yue              (zh-yue 5)
 5  yue             --/M      Chinese_(Cantonese,_latin_as_Jyutping) sit/yue
 5  -x              --/M      Option             x/x
`;

/** A tenth of a second, as the program streams it: it cannot know its length when it begins. */
const ESPEAK_WAV = Buffer.concat([wavHeader(0x7ffff000, 22_050), Buffer.alloc(4_410, 1)]);

/** A program that lists voices, and does as `script` says with a text; `$0.wav` is a recording. Gives its path. */
export async function fakeEspeak(folder: string, script: string, voices = ESPEAK_VOICES): Promise<string> {
  const program = join(folder, 'espeak-ng');
  await writeFile(`${program}.wav`, ESPEAK_WAV);
  await writeFile(`${program}.voices`, voices);
  await writeFile(program, `#!/bin/sh\nif [ "$1" = --voices ]; then exec /bin/cat "$0.voices"; fi\n${script}\n`);
  await chmod(program, 0o755);
  return program;
}
