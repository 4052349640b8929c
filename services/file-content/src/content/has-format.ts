import { type ContentFormat } from '../file-types.ts';
import { isJson, isText, isXml } from './is-text.ts';
import { isArchive, isOfficeFile, endsInArchive } from './is-archive.ts';
import { hasSignature } from './signatures.ts';

/** Whether bytes have a format, and no second format that another reader would detect in them. `whole` is checked if it is defined. */
export function hasFormat(form: ContentFormat, head: Uint8Array, whole: Uint8Array | undefined): boolean {
  switch (form) {
    case 'text':
      return isText(head, whole);
    case 'json':
      return isText(head, whole) && isJson(head);
    case 'xml':
      return isText(head, whole) && isXml(head);
    case 'docx':
    case 'xlsx':
    case 'pptx':
      return isOfficeFile(form, head, whole);
    case 'zip':
      return isArchive(head, whole);
    case 'png':
    case 'jpeg':
    case 'gif':
    case 'webp':
    case 'pdf':
    case 'wav':
    case 'mp3':
    case 'flac':
    case 'opus':
      return hasSignature(form, head) && !(whole && endsInArchive(whole));
  }
}
