import { type ContentFormat } from '../file-types.ts';
import { startsLikeJson, isText, startsLikeXml } from './is-text.ts';
import { isZipFile, isOfficeFile, hasAppendedZip } from './is-zip-file.ts';
import { hasSignature } from './signatures.ts';

/** Whether bytes have a format, and no second format that another reader would detect in them. `whole` is checked if it is defined. */
export function hasFormat(form: ContentFormat, head: Uint8Array, whole: Uint8Array | undefined): boolean {
  switch (form) {
    case 'text':
      return isText(head, whole);
    case 'json':
      return isText(head, whole) && startsLikeJson(head);
    case 'xml':
      return isText(head, whole) && startsLikeXml(head);
    case 'docx':
    case 'xlsx':
    case 'pptx':
      return isOfficeFile(form, head, whole);
    case 'zip':
      return isZipFile(head, whole);
    case 'png':
    case 'jpeg':
    case 'gif':
    case 'webp':
    case 'pdf':
    case 'wav':
    case 'mp3':
    case 'flac':
    case 'opus':
      return hasSignature(form, head) && !(whole && hasAppendedZip(whole));
  }
}
