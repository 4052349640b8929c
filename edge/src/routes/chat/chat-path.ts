/** Path of the chat operation, which is dispatched before Express. */
export const CHAT_PATH = '/v1/chat/completions';

/** True when a request target is the path of the chat operation, with or without a query. */
export function isChatTarget(target: string | undefined): boolean {
  return target === CHAT_PATH || target?.startsWith(`${CHAT_PATH}?`) === true;
}
