const KEY = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/;
const MAX_LENGTH = 512;

/** Gives the key back. @throws TypeError for anything that could leave the store or hide in it. */
export function checkKey(key: string): string {
  if (key.length > MAX_LENGTH || !KEY.test(key)) throw new TypeError('not a blob key');
  return key;
}

/** A folder as a prefix of keys: `''` or `a/b/`. @throws TypeError */
export function folderPrefix(folder: string): string {
  return folder === '' ? '' : `${checkKey(folder.replace(/\/$/, ''))}/`;
}
