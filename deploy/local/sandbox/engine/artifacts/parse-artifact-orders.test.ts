import { describe, expect, it } from '@jest/globals';
import { toUniqueLabels, toArtifactReply } from './artifact-reply.ts';
import { parseArtifactOrders } from './parse-artifact-orders.ts';

const names = (text: string): string[] => toUniqueLabels(parseArtifactOrders(text)).map(({ name }) => name);

describe('parseArtifactOrders', () => {
  it.each([
    ['draw a red circle', ['red-circle.png']],
    ['Please draw me a red circle and a blue square!', ['red-circle-and-a-blue-square.png']],
    ['make a picture of a composition by the sea', ['composition-by-the-sea.png']],
    ['could you generate an image of 640x480 green triangles?', ['640x480-green-triangles.png']],
    ['draw a picture of the planets', ['planets.png']],
    ['Make a CSV of the planets.', ['planets.csv']],
    ['create a table of the months', ['months.csv']],
    ['Make a PDF report about rivers', ['rivers.pdf']],
    ['write a Word document about Ada Lovelace', ['ada-lovelace.docx']],
    ['write a DOCX about bees', ['bees.docx']],
    ['make a file of 100 MB', ['file-100-mb.txt']],
    ['make a 3 MB file', ['file-3-mb.txt']],
    ['draw 🎈', ['picture.png']],
    ['draw a red circle and make a CSV of the planets', ['red-circle.png', 'planets.csv']],
    ['draw a cat. Then write a PDF about cats, and also draw a cat', ['cat.png', 'cats.pdf', 'cat-2.png']],
  ])('hears %j', (text, expected) => {
    expect(names(text)).toEqual(expected);
  });

  it.each([
    ['hello'],
    ['what did you draw?'],
    ['make me happy'],
    ['write a poem'],
    ['say draw a circle'],
    ['remember to draw a circle'],
    [''],
  ])('hears nothing in %j', (text) => {
    expect(parseArtifactOrders(text)).toEqual([]);
  });

  it('bounds what it is asked for', () => {
    expect(parseArtifactOrders('make a file of 900 MB')).toMatchObject([{ bytes: 200_000_000 }]);
    expect(parseArtifactOrders('make a 99 page PDF about x')).toMatchObject([{ pages: 20 }]);
    expect(parseArtifactOrders('draw a cat. '.repeat(100))).toHaveLength(8);
    expect(parseArtifactOrders(`draw ${'word '.repeat(100_000)}`)[0]?.topic.length).toBeLessThanOrEqual(100);
  });
});

it('keeps placeholders as they are where the words are in capitals', () => {
  expect(toArtifactReply(toUniqueLabels(parseArtifactOrders('draw a cat and make a CSV of dogs')), true)).toBe(
    'HERE ARE THE 2 THINGS YOU ASKED FOR:\n[image: cat.png]\n[file: dogs.csv]',
  );
});
