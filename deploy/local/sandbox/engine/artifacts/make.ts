import { drawPicture } from './draw.ts';
import { generateFiller } from './generate-filler.ts';
import { type Recipe } from './recipe.ts';
import { writeCsv } from './write-csv.ts';
import { writeDocx } from './write-docx.ts';
import { writePdf } from './write-pdf.ts';

/** The bytes of an artifact, as a stream. */
export interface ArtifactBytes {
  readonly size: number;
  readonly chunks: Iterable<Buffer>;
}

function whole(bytes: Buffer): ArtifactBytes {
  return { size: bytes.length, chunks: [bytes] };
}

/** Generates the artifact of a recipe: the same bytes every time, so only the recipe has to be stored. */
export async function makeArtifact({ make, topic, pages = 1, bytes = 1 }: Recipe): Promise<ArtifactBytes> {
  switch (make) {
    case 'picture':
      return whole(drawPicture(topic));
    case 'table':
      return whole(writeCsv(topic));
    case 'pdf':
      return whole(await writePdf(topic, pages));
    case 'docx':
      return whole(writeDocx(topic));
    case 'filler':
      return { size: bytes, chunks: generateFiller(bytes) };
  }
}
