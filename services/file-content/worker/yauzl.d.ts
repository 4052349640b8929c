/** The part of yauzl 3 that the readers use; the package has no types of its own. */
declare module 'yauzl' {
  import { type Readable } from 'node:stream';

  export interface Entry {
    generalPurposeBitFlag: number;
    uncompressedSize: number;
    fileNameRaw: Buffer;
    extraFields: readonly { id: number; data: Buffer }[];
  }

  export interface ZipFile {
    entryCount: number;
    eachEntry(): AsyncIterable<Entry>;
    openReadStreamPromise(entry: Entry): Promise<Readable>;
  }

  export interface Options {
    lazyEntries?: boolean;
    decodeStrings?: boolean;
    autoClose?: boolean;
  }

  export function fromBufferPromise(buffer: Buffer, options?: Options): Promise<ZipFile>;
  export function getFileNameLowLevel(flags: number, name: Buffer, extraFields: Entry['extraFields'], strict: boolean): string;

  const yauzl: { fromBufferPromise: typeof fromBufferPromise; getFileNameLowLevel: typeof getFileNameLowLevel };
  export default yauzl;
}
