import { PNG } from 'pngjs';
import { COLOURS, INK, PAPER, type Colour } from './colours.ts';
import { LETTER_CELL, getLetterPixels } from './letters.ts';

// Destructured once: they are called for every pixel.
const { abs, floor, max, min } = Math;

const SIDE = 256;
const LARGEST_SIDE = 2_048;

/** Whether a point is inside; the shape's middle is 0, its edge 1 away. */
type Shape = (x: number, y: number) => boolean;

const SHAPES: Readonly<Record<string, Shape>> = {
  circle: (x, y) => x * x + y * y <= 1,
  ellipse: (x, y) => x * x + (y * y) / 0.36 <= 1,
  ring: (x, y) => x * x + y * y <= 1 && x * x + y * y >= 0.49,
  square: (x, y) => max(abs(x), abs(y)) <= 0.9,
  rectangle: (x, y) => abs(x) <= 1 && abs(y) <= 0.6,
  triangle: (x, y) => y <= 0.9 && y >= -0.9 && abs(x) <= (y + 0.9) / 1.8,
  diamond: (x, y) => abs(x) + abs(y) <= 1,
  cross: (x, y) => max(abs(x), abs(y)) <= 1 && min(abs(x), abs(y)) <= 0.25,
  line: (x, y) => abs(x) <= 1 && abs(y) <= 0.05,
};

interface Figure {
  readonly shape: Shape;
  readonly colour: Colour;
}

/** Returns the shapes that a topic names, each in the colour named before it. */
function figuresIn(topic: string): Figure[] {
  const figures: Figure[] = [];
  let colour = INK;
  for (const word of topic.toLowerCase().match(/[a-z]+/g) ?? []) {
    const shape = SHAPES[word] ?? SHAPES[word.replace(/e?s$/, '')];
    if (shape !== undefined) figures.push({ shape, colour });
    colour = COLOURS[word] ?? colour;
  }
  return figures.slice(0, 9);
}

function sizeIn(topic: string): { width: number; height: number } {
  const [, width = SIDE, height = SIDE] = /\b(\d{2,4})\s*[x×]\s*(\d{2,4})\b/.exec(topic) ?? [];
  return { width: min(Number(width), LARGEST_SIDE), height: min(Number(height), LARGEST_SIDE) };
}

function paint({ width, data }: PNG, x: number, y: number, colour: Colour): void {
  const at = (y * width + x) * 4;
  data[at] = colour[0];
  data[at + 1] = colour[1];
  data[at + 2] = colour[2];
  data[at + 3] = 255;
}

function fill(png: PNG, colourAt: (x: number, y: number) => Colour): void {
  for (let y = 0; y < png.height; y++) for (let x = 0; x < png.width; x++) paint(png, x, y, colourAt(x, y));
}

/** Draws figures side by side. */
function drawFigures(png: PNG, figures: readonly Figure[]): void {
  const cell = png.width / figures.length;
  const radius = min(cell, png.height) * 0.4;
  fill(png, (x, y) => {
    const at = min(floor(x / cell), figures.length - 1);
    const figure = figures[at];
    const inside = figure?.shape((x + 0.5 - (at + 0.5) * cell) / radius, (y + 0.5 - png.height / 2) / radius) ?? false;
    return inside && figure !== undefined ? figure.colour : PAPER;
  });
}

/** Draws the words of a topic, one on each line, as large as they fit. */
function writeWords(png: PNG, topic: string): void {
  const words = topic.split(/\s+/).slice(0, 12);
  const colour = words.map((word) => COLOURS[word.toLowerCase()]).find((known) => known !== undefined) ?? INK;
  fill(png, () => PAPER);
  const longest = max(1, ...words.map((word) => word.length));
  const scale = floor(min((png.width * 0.9) / (longest * LETTER_CELL.width), (png.height * 0.9) / (words.length * LETTER_CELL.height)));
  const top = floor((png.height - words.length * LETTER_CELL.height * scale) / 2);
  for (const [row, word] of words.entries()) {
    const left = floor((png.width - word.length * LETTER_CELL.width * scale) / 2);
    for (const [at, letter] of [...word].entries()) {
      for (const [x, y] of getLetterPixels(letter)) {
        const [startX, startY] = [left + (at * LETTER_CELL.width + x) * scale, top + (row * LETTER_CELL.height + y) * scale];
        for (let dy = 0; dy < scale; dy++) for (let dx = 0; dx < scale; dx++) paint(png, startX + dx, startY + dy, colour);
      }
    }
  }
}

/** Draws a PNG of the shapes and colours that a topic names ("red circle and blue square 640x480"); of its words if it names none. */
export function drawPicture(topic: string): Buffer {
  const png = new PNG(sizeIn(topic));
  const figures = figuresIn(topic);
  if (figures.length > 0) drawFigures(png, figures);
  else writeWords(png, topic);
  return PNG.sync.write(png, { colorType: 2, filterType: 0 });
}
