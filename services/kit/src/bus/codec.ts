/** How a message becomes bytes and back: the shape ts-proto gives its messages. */
export interface Codec<Message> {
  encode(message: Message): { finish(): Uint8Array };
  decode(bytes: Uint8Array): Message;
}
