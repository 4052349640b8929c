import { type TimedText } from '../../domain/timed-text.ts';

/** The parsed output of the program. */
export interface PocketsphinxOutput {
  text: string;
  /** Utterances, which end with a pause; empty without times, as is `words`. */
  segments: TimedText[];
  words: TimedText[];
}

/** A word, its start and end in seconds, and its confidence. */
const WORD = /^(\S+) (\d+\.\d+) (\d+\.\d+) \S+$/;
/** Symbols of silence and noise: `<s>`, `<sil>`, `[NOISE]`, `++BREATH++`. */
const FILLER = /^(?:<.*>|\[.*\]|\+\+.*\+\+)$/;
/** The number of a pronunciation, as in `the(2)`. */
const PRONUNCIATION = /\(\d+\)$/;

/** Parses the output: a line for each utterance, followed by lines of its words when times were requested. */
export function parseOutput(output: string): PocketsphinxOutput {
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
      // The next words belong to this segment, until the line of another utterance.
      utterance = '';
    }
  }
  return { text: texts.join(' '), segments, words };
}

function readWord(line: string): TimedText | undefined {
  const [, text, start, end] = WORD.exec(line) ?? [];
  return text === undefined ? undefined : { text: text.replace(PRONUNCIATION, ''), startSeconds: Number(start), endSeconds: Number(end) };
}
