import { z } from 'zod';

/** Maximum size of an artifact that is ordered by its size, in bytes. */
export const MAX_ARTIFACT_BYTES = 200 * 1_000_000;

/** How to generate an artifact: the same recipe always produces the same bytes. */
export const recipeSchema = z.object({
  make: z.enum(['picture', 'table', 'pdf', 'docx', 'filler']),
  /** Topic, in the words of the user. */
  topic: z.string().max(200),
  /** Number of pages of a PDF. */
  pages: z.number().int().min(1).max(20).optional(),
  /** Size of filler in bytes. */
  bytes: z.number().int().min(1).max(MAX_ARTIFACT_BYTES).optional(),
});

export type Recipe = z.infer<typeof recipeSchema>;

/** The public description of an artifact. */
export interface ArtifactLabel {
  readonly kind: 'image' | 'file';
  readonly name: string;
  readonly mimeType: string;
}

const FORMS: Readonly<Record<Recipe['make'], { kind: ArtifactLabel['kind']; extension: string; mimeType: string }>> = {
  picture: { kind: 'image', extension: 'png', mimeType: 'image/png' },
  table: { kind: 'file', extension: 'csv', mimeType: 'text/csv' },
  pdf: { kind: 'file', extension: 'pdf', mimeType: 'application/pdf' },
  docx: { kind: 'file', extension: 'docx', mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' },
  filler: { kind: 'file', extension: 'txt', mimeType: 'text/plain' },
};

/** Returns name and type of a recipe's artifact, such as `red-circle.png`. */
export function toArtifactLabel({ make, topic }: Recipe): ArtifactLabel {
  const { kind, extension, mimeType } = FORMS[make];
  const words =
    topic
      .toLowerCase()
      .normalize('NFKD')
      .match(/[a-z0-9]+/g) ?? [];
  const stem = words.join('-').slice(0, 40).replace(/-+$/, '');
  return { kind, name: `${stem === '' ? make : stem}.${extension}`, mimeType };
}
