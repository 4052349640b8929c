import { generateLoremIpsum } from '../long-texts.ts';

const PARAGRAPHS = 3;
const WORDS = 60;

/** The text of a report about a topic. */
export interface Prose {
  readonly title: string;
  readonly paragraphs: readonly string[];
}

/** Returns a page of a report: a title, a sentence with the topic, and filler. */
export function generateProse(topic: string, page = 1): Prose {
  const subject = topic === '' ? 'nothing in particular' : topic;
  const filler = Array.from({ length: PARAGRAPHS - 1 }, (_, at) => `${generateLoremIpsum(WORDS + at * 10)}.`);
  return { title: `A report about ${subject}`, paragraphs: [`Page ${page} of this report is about ${subject}.`, ...filler] };
}
