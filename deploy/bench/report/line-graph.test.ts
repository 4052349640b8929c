import { describe, expect, it } from '@jest/globals';
import { renderGraph } from './line-graph.ts';

const points = [
  { x: 0, y: 0 },
  { x: 100, y: 90 },
];
const svg = renderGraph({ title: 'a < b', xLabel: 'seconds', panels: [{ title: 'MiB', lines: [{ name: 'node & more', points }] }] });

describe('renderGraph', () => {
  it('draws every point on the axes that its ticks name', () => {
    // The panel is 64–710 wide and 44–234 high; x ends at 100, y at 100.
    expect(svg).toContain('d="M64 234L710 63"');
    for (const tick of ['>20<', '>40<', '>60<', '>80<', '>100<']) expect(svg.split(tick)).toHaveLength(3);
  });

  it('names what it shows, escaped', () => {
    for (const text of ['a &lt; b', 'seconds', 'MiB', 'node &amp; more']) expect(svg).toContain(`>${text}</text>`);
  });

  it('follows the theme of its reader', () => {
    expect(svg).toContain('@media(prefers-color-scheme:dark)');
    expect(svg).not.toMatch(/https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
  });
});
