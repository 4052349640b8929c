import { SAMPLE } from './samples.ts';

/** Example of an image that was generated in an answer. */
export const IMAGE_SAMPLE = {
  id: SAMPLE.asset,
  asset_type: 'image',
  file_name: 'lighthouse.png',
  mime_type: 'image/png',
  size_bytes: 48_213,
  status: 'ready',
  download_url: `/v1/assets/${SAMPLE.asset}/download`,
  retry_count: 0,
  width: 640,
  height: 480,
  created_at: SAMPLE.time,
};

const { download_url: _url, ...onItsWay } = IMAGE_SAMPLE;

/** Example of the same image before it was downloaded. */
export const PENDING_IMAGE_SAMPLE = { ...onItsWay, status: 'discovered', size_bytes: 0 };
