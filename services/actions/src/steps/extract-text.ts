import { type TextExtractor } from '@parley/file-content/extract';
import { GatewayError } from '@parley/protos/errors';
import { type JsonObject } from '../domain/json.ts';
import { type InputFile, type InputFilesClient, openInputFile } from './open-input-file.ts';
import { requireAssetId, requireObjectPayload } from './payload.ts';
import { invalidStepError, toInternalCallError } from './step-errors.ts';
import { type StepExecutor } from './step-executor.ts';

/** Maximum size in bytes of a file that is read, as it is read into memory. */
export const MAX_INPUT_FILE_BYTES = 32 * 1_024 ** 2;
/** Default maximum of characters; fits into the outputs of a step in any script. */
const DEFAULT_CHARACTERS = 60_000;
const MAX_CHARACTERS = 200_000;

/**
 * Returns the executor of `extractText`: the text of a file input. Payload: `file`, and `max_characters` (default 60,000). Body: `text`,
 * `truncated`, `omitted` (a description of what could not be read), `file_name`, `mime_type`, `size_bytes`.
 */
export function extractTextExecutor(inputs: InputFilesClient, extractor: Pick<TextExtractor, 'extract'>): StepExecutor {
  return {
    execute: async (request, signal) => {
      const payload = requireObjectPayload(request.payload);
      const [assetId, limit] = [requireAssetId(payload, 'file'), getLimit(payload)];
      try {
        const input = await openInputFile(inputs, assetId, request, signal);
        const { fileName, mimeType, sizeBytes } = input.head;
        const { text, omitted } = await extractor.extract(
          await readBytes(input).finally(() => input.stop()),
          { name: fileName, mimeType, workspaceId: request.caller.workspaceId },
          signal,
        );
        const kept = shorten(text, limit);
        const about = { file_name: fileName, mime_type: mimeType, size_bytes: sizeBytes };
        return { statusCode: 200, headers: {}, body: { text: kept, truncated: kept.length < text.length, omitted, ...about } };
      } catch (error) {
        throw toInternalCallError(error, signal);
      }
    },
  };
}

function getLimit({ max_characters: limit = DEFAULT_CHARACTERS }: JsonObject): number {
  if (typeof limit === 'number' && Number.isInteger(limit) && limit > 0 && limit <= MAX_CHARACTERS) return limit;
  throw invalidStepError(`max_characters of the step's payload must be a whole number from 1 to ${MAX_CHARACTERS}`);
}

async function readBytes({ head, chunks }: InputFile): Promise<Buffer> {
  if (head.sizeBytes > MAX_INPUT_FILE_BYTES) throw new GatewayError('ASSET_INPUT_INVALID', 'a file of the input is too large to be read');
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

/** Truncates a text. Removes NUL, which cannot be stored, and half a surrogate pair at the end. */
function shorten(text: string, limit: number): string {
  return text
    .replaceAll('\0', '')
    .slice(0, limit)
    .replace(/[\ud800-\udbff]$/, '');
}
