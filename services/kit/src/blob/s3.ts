import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { S3Driver } from 'flydrive/drivers/s3';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Readable } from 'node:stream';
import { requireBlobKey, folderPrefix } from './blob-key.ts';
import { type BlobHead, BlobNotFoundError, type BlobReceipt, type BlobStore, type ByteRange, type PutOptions } from './blob-store.ts';
import { deleteStaleSpoolFiles, spool } from './spool.ts';

/** The bucket and its server. Credentials come from the SDK's default chain (`AWS_ACCESS_KEY_ID`, instance roles and so on). */
export interface S3Options {
  bucket: string;
  /** @default 'us-east-1', which other servers than Amazon's accept */
  region?: string;
  /** URL of a server that is not Amazon's. */
  endpoint?: string;
  /** Bucket in the path instead of the host name. @default true when there is an endpoint */
  pathStyle?: boolean;
}

/** Opens an S3-compatible bucket, which must exist. Uploads are written to the system's temporary folder first. */
export function openS3({ bucket, region = 'us-east-1', endpoint, pathStyle = endpoint !== undefined }: S3Options): BlobStore {
  const client = new S3Client({
    region,
    forcePathStyle: pathStyle,
    ...(endpoint !== undefined && { endpoint }),
    // Many S3-compatible servers do not know the SDK's newer checksum trailers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return new S3(client, bucket);
}

class S3 implements BlobStore {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #spoolFolder = tmpdir();
  readonly #driver: S3Driver;

  constructor(client: S3Client, bucket: string) {
    this.#client = client;
    this.#bucket = bucket;
    this.#driver = new S3Driver({ client, bucket, visibility: 'private', supportsACL: false });
  }

  /** Not flydrive's `putStream`: a PUT needs the length beforehand and must be repeatable. One PUT is all or nothing. */
  async put(key: string, bytes: Readable, options: PutOptions): Promise<BlobReceipt> {
    const Key = requireBlobKey(key);
    const { path, size, sha256 } = await spool(this.#spoolFolder, bytes, options);
    try {
      const command = new PutObjectCommand({
        Bucket: this.#bucket,
        Key,
        Body: createReadStream(path),
        ContentLength: size,
        ...(options.contentType !== undefined && { ContentType: options.contentType }),
      });
      await this.#client.send(command, { ...(options.signal && { abortSignal: options.signal }) });
      return { size, sha256 };
    } finally {
      await rm(path, { force: true });
    }
  }

  /** Not flydrive's `getStream`: it has no ranges. */
  async getRange(key: string, range?: ByteRange): Promise<Readable> {
    const Range = range && `bytes=${range.start}-${range.end ?? ''}`;
    const command = new GetObjectCommand({ Bucket: this.#bucket, Key: requireBlobKey(key), ...(Range !== undefined && { Range }) });
    const { Body } = await this.#client.send(command).catch((error: unknown) => {
      throw isMissing(error) ? new BlobNotFoundError(key, { cause: error }) : error;
    });
    return Body as Readable;
  }

  async head(key: string): Promise<BlobHead | undefined> {
    try {
      const { contentLength, lastModified } = await this.#driver.getMetaData(requireBlobKey(key));
      return { size: contentLength, modifiedAt: lastModified };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    await this.#driver.delete(requireBlobKey(key));
  }

  async *list(folder: string): AsyncIterable<string> {
    // flydrive expects a slash for "no prefix".
    const prefix = folderPrefix(folder) || '/';
    let paginationToken: string | undefined;
    do {
      const page = await this.#driver.listAll(prefix, { recursive: true, ...(paginationToken !== undefined && { paginationToken }) });
      for (const object of page.objects) if (object.isFile) yield object.key;
      ({ paginationToken } = page);
    } while (paginationToken !== undefined);
  }

  async deletePartialUploads(): Promise<void> {
    await deleteStaleSpoolFiles(this.#spoolFolder);
  }
}

function isMissing(error: unknown): boolean {
  const { name, $metadata: metadata } = error as { name?: unknown; $metadata?: { httpStatusCode?: number } };
  return name === 'NoSuchKey' || name === 'NotFound' || metadata?.httpStatusCode === 404;
}
