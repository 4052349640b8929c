import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { toRequestSnippets } from './request-snippets.ts';

const FACTS = { origin: 'http://127.0.0.1:8080', model: 'auto', headers: { 'X-Service-Upstream-Project': 'travel' } };
const codeOf = (name: string, text: string) => toRequestSnippets({ ...FACTS, text }).find((snippet) => snippet.name === name)?.code ?? '';

describe('toRequestSnippets', () => {
  it('has each in the words of its language, with its routing and without a key', () => {
    for (const { code } of toRequestSnippets({ ...FACTS, text: 'hello' })) {
      expect(code).toContain('PARLEY_API_KEY');
      expect(code).toContain('http://127.0.0.1:8080/v1');
      expect(code).toContain('travel');
      expect(code).not.toMatch(/gmk_live_/);
    }
  });

  it('writes a shell command that gives every character to curl', () => {
    const text = `it's "quoted" $HOME \`x\`\n日本`;
    const printed = execFileSync('sh', ['-c', codeOf('curl', text).replace(/^curl/, `printf '%s\\n'`)], { encoding: 'utf8' });
    expect(printed).toContain(JSON.stringify(text));
  });

  it('shortens what is too long to copy', () => {
    expect(codeOf('python', 'x'.repeat(1_000_000)).length).toBeLessThan(4_000);
  });
});
