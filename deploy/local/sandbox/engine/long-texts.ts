/** Maximum number of numbers or words in one reply. */
const LONGEST = 10_000;

const LOREM = (
  'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna aliqua ' +
  'ut enim ad minim veniam quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo consequat duis aute irure ' +
  'dolor in reprehenderit in voluptate velit esse cillum dolore eu fugiat nulla pariatur'
).split(' ');

function upTo(count: number, what: string, word: (at: number) => string): string {
  if (count < 1 || count > LONGEST) return `I can ${what} from 1 to ${LONGEST}.`;
  return Array.from({ length: count }, (_, at) => word(at)).join(' ');
}

/** Returns `1 2 3 … n`: a reply of exactly n words, for long streams. */
export function generateCountingText(n: number): string {
  return upTo(n, 'count to any number', (at) => String(at + 1));
}

/** Returns n words of filler. */
export function generateLoremIpsum(n: number): string {
  return upTo(n, 'write any number of words', (at) => LOREM[at % LOREM.length] ?? '');
}
