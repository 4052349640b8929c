import { type AttachedFile, type Part } from '@parley/protos/conversation/v1/conversation';
import { toStorableJsonText } from './storable-text.ts';

/** A stored part of a message: text and images in the shape of OpenAI's chat API, and attached files. */
export type StoredPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string } }
  | { type: 'file'; file: { file_id: string; asset_id: string; file_name: string; mime_type: string } };

/** Converts parts, then files, to their stored form in that order; null for a message of text only. */
export function toStoredParts(parts: readonly Part[], files: readonly AttachedFile[] = []): StoredPart[] | null {
  return parts.length + files.length === 0 ? null : [...parts.flatMap(toStored), ...files.map(toStoredFile)];
}

function toStored({ content }: Part): StoredPart[] {
  switch (content?.$case) {
    case 'text':
      return [{ type: 'text', text: toStorableJsonText(content.value) }];
    case 'imageUrl':
      return [{ type: 'image_url', image_url: { url: toStorableJsonText(content.value) } }];
    case undefined:
      return [];
  }
}

function toStoredFile({ fileId, assetId, fileName, mimeType }: AttachedFile): StoredPart {
  const [file_id, asset_id] = [toStorableJsonText(fileId), toStorableJsonText(assetId)];
  return { type: 'file', file: { file_id, asset_id, file_name: toStorableJsonText(fileName), mime_type: toStorableJsonText(mimeType) } };
}

/** Converts stored parts to those of the gRPC contract, without files; empty for a message of text and files only. */
export function fromStoredParts(stored: readonly StoredPart[] | null): Part[] {
  return (stored ?? []).flatMap((part): Part[] => {
    switch (part.type) {
      case 'text':
        return [{ content: { $case: 'text', value: part.text } }];
      case 'image_url':
        return [{ content: { $case: 'imageUrl', value: part.image_url.url } }];
      case 'file':
        return [];
    }
  });
}

/** Converts the files among stored parts to those of the gRPC contract. */
export function toAttachedFiles(stored: readonly StoredPart[] | null): AttachedFile[] {
  return (stored ?? []).flatMap((part) => (part.type === 'file' ? [toFile(part.file)] : []));
}

function toFile({ file_id, asset_id, file_name, mime_type }: Extract<StoredPart, { type: 'file' }>['file']): AttachedFile {
  return { fileId: file_id, assetId: asset_id, fileName: file_name, mimeType: mime_type };
}
