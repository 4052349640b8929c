import { type TimedText } from '../../domain/timed-text.ts';

/** The transcript of the program. */
export interface PocketsphinxOutput {
  text: string;
  /** Its utterances, which end with a pause; empty when it printed no times, as are `words`. */
  segments: TimedText[];
  words: TimedText[];
}

/** A word, its start and its end in seconds, and how sure the program is. */
const WORD = /^(\S+) (\d+\.\d+) (\d+\.\d+) \S+$/;
/** Silence and noise: `<s>`, `<sil>`, `[NOISE]`, `++BREATH++`. */
const FILLER = /^(?:<.*>|\[.*\]|\+\+.*\+\+)$/;
/** The number of a pronunciation, as in `the(2)`. */
const PRONUNCIATION = /\(\d+\)$/;

/** Reads what the program prints: a line for each utterance, which the lines of its words follow when times were wanted. */
export function readOutput(output: string): PocketsphinxOutput {
  const texts: string[] = [];
  const segments: TimedText[] = [];
  const words: TimedText[] = [];
  let utterance = '';
  for (const line of output.split('\n').map((one) => one.split(/\s+/).filter(Boolean).join(' '))) {
    const word = readWord(line);
    if (!word) {
      utterance = line;
      if (line !== '') texts.push(line);
    } else if (!FILLER.test(word.text)) {
      words.push(word);
      const { startSeconds, endSeconds } = word;
      const segment = segments.at(-1);
      if (utterance !== '') segments.push({ text: utterance, startSeconds, endSeconds });
      else if (segment) segment.endSeconds = endSeconds;
      // What follows belongs to this segment, until the line of another utterance.
      utterance = '';
    }
  }
  return { text: texts.join(' '), segments, words };
}

function readWord(line: string): TimedText | undefined {
  const [, text, start, end] = WORD.exec(line) ?? [];
  return text === undefined ? undefined : { text: text.replace(PRONUNCIATION, ''), startSeconds: Number(start), endSeconds: Number(end) };
}
