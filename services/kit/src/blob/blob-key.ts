const KEY = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/;
const MAX_LENGTH = 512;

/** Checks a key and returns it. @throws TypeError for a key that could leave the store or name a hidden file */
export function requireBlobKey(key: string): string {
  if (key.length > MAX_LENGTH || !KEY.test(key)) throw new TypeError('not a blob key');
  return key;
}

/** Returns the key prefix of a folder: `''` for all, else `a/b/`. @throws TypeError for an invalid folder */
export function folderPrefix(folder: string): string {
  return folder === '' ? '' : `${requireBlobKey(folder.replace(/\/$/, ''))}/`;
}
