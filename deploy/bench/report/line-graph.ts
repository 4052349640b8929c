/** A line: its points in the order of x. */
export interface Line {
  name: string;
  points: readonly { x: number; y: number }[];
}

/** One set of axes; panels stand one below the other and share x. */
export interface Panel {
  title: string;
  lines: readonly Line[];
}

/** A graph with a title and a name for x. */
export interface Graph {
  title: string;
  xLabel: string;
  panels: readonly Panel[];
}

const WIDTH = 860;
const LEFT = 64;
const RIGHT = 150;
const TOP = 44;
const PANEL = 190;
const GAP = 46;
const BOTTOM = 44;
const TICKS = 5;
// Okabe and Ito's colours, legible for colour-blind readers on white and on near-black; dashes tell lines apart in print.
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7'];
const DARK_COLOURS = ['#56b4e9', '#ff9d4d', '#2ecc9a', '#f0a3cc'];
const DASHES = ['none', '7 3', '2 3', '9 3 2 3'];

/** Draws a graph as an SVG that follows the reader's light or dark theme and needs nothing else. */
export function renderGraph(graph: Graph): string {
  const height = TOP + graph.panels.length * PANEL + (graph.panels.length - 1) * GAP + BOTTOM;
  const maxX = niceCeiling(Math.max(1, ...graph.panels.flatMap(({ lines }) => lines.flatMap(({ points }) => points.map(({ x }) => x)))));
  const panels = graph.panels.map((panel, i) => drawPanel(panel, TOP + i * (PANEL + GAP), maxX));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escape(graph.title)}">`,
    `<style>${style()}</style>`,
    `<rect class="paper" width="${WIDTH}" height="${height}"/>`,
    text(LEFT, 20, graph.title, 'class="title"'),
    ...panels,
    text((LEFT + WIDTH - RIGHT) / 2, height - 8, graph.xLabel, 'text-anchor="middle"'),
    '</svg>',
    '',
  ].join('\n');
}

function drawPanel(panel: Panel, top: number, maxX: number): string {
  const maxY = niceCeiling(Math.max(1, ...panel.lines.flatMap(({ points }) => points.map(({ y }) => y))) * 1.05);
  const bottom = top + PANEL;
  const right = WIDTH - RIGHT;
  const atX = (x: number): number => LEFT + (x / maxX) * (right - LEFT);
  const atY = (y: number): number => bottom - (y / maxY) * PANEL;
  const steps = Array.from({ length: TICKS + 1 }, (_, i) => i / TICKS);
  return [
    text(LEFT, top - 8, panel.title, 'class="panel"'),
    ...steps.map(
      (step) => `<line class="grid" x1="${LEFT}" x2="${right}" y1="${fixed(atY(step * maxY))}" y2="${fixed(atY(step * maxY))}"/>`,
    ),
    ...steps.map((step) => text(LEFT - 8, atY(step * maxY) + 4, label(step * maxY), 'text-anchor="end"')),
    ...steps.map((step) => text(atX(step * maxX), bottom + 16, label(step * maxX), 'text-anchor="middle"')),
    `<path class="axis" d="M${LEFT} ${top}V${bottom}H${right}"/>`,
    ...panel.lines.map((line, i) => drawLine(line, i, atX, atY)),
    ...panel.lines.map((line, i) => drawKey(line.name, i, right + 14, top + 12 + i * 20)),
  ].join('\n');
}

function drawLine({ points }: Line, index: number, atX: (x: number) => number, atY: (y: number) => number): string {
  const path = points.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${fixed(atX(x))} ${fixed(atY(y))}`).join('');
  return `<path class="line c${index % COLOURS.length}" d="${path}"/>`;
}

function drawKey(name: string, index: number, x: number, y: number): string {
  return `<path class="line c${index % COLOURS.length}" d="M${x} ${y}h22"/>\n${text(x + 28, y + 4, name, '')}`;
}

function style(): string {
  const lines = (colours: readonly string[]): string =>
    colours.map((colour, i) => `.c${i}{stroke:${colour};stroke-dasharray:${DASHES[i]}}`).join('');
  const theme = (paper: string, ink: string, grid: string): string =>
    `.paper{fill:${paper}}text{fill:${ink}}.grid{stroke:${grid}}.axis{stroke:${ink}}`;
  return [
    'text{font:12px system-ui,sans-serif}.title{font-size:15px;font-weight:600}.panel{font-weight:600}',
    '.line,.axis{fill:none}.line{stroke-width:1.6}',
    theme('#ffffff', '#24292f', '#d8dee4'),
    lines(COLOURS),
    `@media(prefers-color-scheme:dark){${theme('#0d1117', '#e6edf3', '#30363d')}${lines(DARK_COLOURS)}}`,
  ].join('');
}

/** The least of 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten that is no less. */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 1.5, 2, 2.5, 3, 4, 5, 6, 8].find((step) => step * power >= value) ?? 10) * power;
}

function label(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });
}

function text(x: number, y: number, content: string, attributes: string): string {
  return `<text x="${fixed(x)}" y="${fixed(y)}"${attributes === '' ? '' : ` ${attributes}`}>${escape(content)}</text>`;
}

function fixed(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function escape(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
