import type { Part } from '@parley/protos/conversation/v1/conversation';
import { storableInJson } from './text.ts';

/** A part of a message as it is stored: the shape OpenAI gives it. */
export type StoredPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

/** The parts as JSON text; null for a message that holds nothing but text. */
export function partsToJson(parts: readonly Part[]): string | null {
  return parts.length === 0 ? null : JSON.stringify(parts.flatMap(toStored));
}

function toStored({ content }: Part): StoredPart[] {
  switch (content?.$case) {
    case 'text':
      return [{ type: 'text', text: storableInJson(content.value) }];
    case 'imageUrl':
      return [{ type: 'image_url', image_url: { url: storableInJson(content.value) } }];
    case undefined:
      return [];
  }
}

/** Parts as the contract has them, from what `partsToJson` made. */
export function partsFromJson(stored: readonly StoredPart[] | null): Part[] {
  return (stored ?? []).map((part) =>
    part.type === 'text' ? { content: { $case: 'text', value: part.text } } : { content: { $case: 'imageUrl', value: part.image_url.url } },
  );
}
