/** The data of the complete events in a text of server-sent events, and what of the text is not complete yet. https://html.spec.whatwg.org/multipage/server-sent-events.html */
export function takeFrames(text: string): { data: string[]; rest: string } {
  const frames = text.replaceAll('\r\n', '\n').split('\n\n');
  const rest = frames.pop() ?? '';
  return { data: frames.map(dataOf).filter((data) => data !== ''), rest };
}

function dataOf(frame: string): string {
  return frame
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).replace(/^ /, ''))
    .join('\n');
}
