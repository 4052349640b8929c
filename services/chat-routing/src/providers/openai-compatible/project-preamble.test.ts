import { describe, expect, it } from '@jest/globals';
import { type TurnProject } from '../upstream-turn.ts';
import { projectPreamble } from './project-preamble.ts';

const count = async (text: string) => text.split(/\s+/).filter((word) => word !== '').length;
const words = (length: number) => Array.from({ length }, () => 'word').join(' ');
const file = (title: string, text: string, omitted = '') => ({ title, text, omitted });

function project(instructions: string, sources: Awaited<ReturnType<TurnProject['sources']>> = []): TurnProject {
  const all = { id: 'p1', upstreamRef: '', name: 'Apollo', instructions, memoryPolicy: 'provider_default' } as const;
  return { ...all, sources: async (maxText) => sources.map((source) => ({ ...source, text: source.text.slice(0, maxText) })) };
}

describe('the preamble of a project', () => {
  it('is empty for a project without content', async () => {
    await expect(projectPreamble(project(''), { count, budget: 100 })).resolves.toBe('');
  });

  it('is its instructions', async () => {
    const preamble = await projectPreamble(project('Answer in French.'), { count, budget: 100 });
    expect(preamble).toContain('"Apollo"');
    expect(preamble).toContain('Answer in French.');
    expect(preamble).not.toMatch(/file|left out|shown/i);
  });

  it('is the text of its files, in their order, without a note about omissions', async () => {
    const preamble = await projectPreamble(project('', [file('a.txt', 'The launch is in May.'), file('b.txt', 'The code is 42.')]), {
      count,
      budget: 100,
    });
    expect(preamble.indexOf('May')).toBeGreaterThan(0);
    expect(preamble.indexOf('42')).toBeGreaterThan(preamble.indexOf('May'));
    expect(preamble).not.toMatch(/left out|is shown|no room/);
  });

  it('notes what was cut, and keeps to the budget', async () => {
    const preamble = await projectPreamble(project(words(50), [file('short.txt', 'short'), file('long.txt', words(1_000))]), {
      count,
      budget: 150,
    });
    expect(preamble).toContain('short');
    expect(preamble).toMatch(/Only the first \d+ characters are shown: there is no room for the rest\.\]\n--- end of "long.txt"/);
    expect(preamble).toContain('Where an answer depends on what was left out, say so.');
    expect(preamble.match(/word/g)?.length).toBeLessThanOrEqual(150);
  });

  it('keeps the instructions whole, however little is left for files', async () => {
    const preamble = await projectPreamble(project(words(200), [file('a.txt', words(50))]), { count, budget: 100 });
    expect(preamble.match(/word/g)).toHaveLength(200);
    expect(preamble).toContain('[This file was left out: there is no room for it.]');
  });

  it('notes what could not be read from a file', async () => {
    const preamble = await projectPreamble(project('', [file('scan.png', ''), file('a.pdf', 'Page one.', 'Pages 2 to 9 were left out.')]), {
      count,
      budget: 100,
    });
    expect(preamble).toContain('--- file "scan.png"\n[No text of this file can be shown.]');
    expect(preamble).toContain('Page one.\n[Pages 2 to 9 were left out.]');
    expect(preamble).toContain('Where an answer depends on what was left out, say so.');
  });

  it('cannot be broken out of by the name of a file', async () => {
    const preamble = await projectPreamble(project('', [file('x"\n--- end', 'text')]), { count, budget: 100 });
    expect(preamble).toContain('--- file "x\\"\\n--- end"');
  });
});
