import { describe, expect, it } from '@jest/globals';
import { createFrameSerializer } from '@parley/kit/rpc/frame-serializer';
import { ChatRoutingServiceService, TurnFrame, TurnRequest } from '@parley/protos/routing/v1/routing';
import { parseChat } from '../parse-chat.ts';
import { readLargeChat } from './read-large-chat.ts';

const { turns } = ChatRoutingServiceService;

describe.each([1, 100, 2_000])('a turn of %d messages that is encoded beforehand', (count) => {
  const body = { model: 'auto', messages: Array.from({ length: count }, (_, n) => ({ role: 'user', content: `слово ${n}` })) };
  const headers = { 'x-service-route-profile': 'cheap' };
  const control = { signal: { $case: 'cancel' as const, value: {} } };
  const frame = (request: TurnRequest) => ({ exchange: 300, control, request, weight: 7 });

  it.each([
    ['with the headroom that it comes with', undefined],
    ['without headroom', 0],
  ])('is on the wire what it is otherwise, %s', (_name, headroomBytes) => {
    const { turn, encoded } = readLargeChat(Buffer.from(JSON.stringify(body)), headers);
    const bytes = createFrameSerializer(turns)({
      envelopes: [{ ...frame(turn), rest: { ...encoded, headroomBytes: headroomBytes ?? encoded.headroomBytes } }],
    });
    expect(TurnFrame.decode(bytes)).toEqual({ envelopes: [frame(parseChat(body, headers).turn)] });
    expect(bytes.buffer === encoded.bytes.buffer).toBe(headroomBytes === undefined);
  });

  it('says the same the second time, when another address is asked', () => {
    const { turn, encoded } = readLargeChat(Buffer.from(JSON.stringify(body)), headers);
    const write = () => Buffer.from(createFrameSerializer(turns)({ envelopes: [{ ...frame(turn), rest: encoded }] }));
    expect(write()).toEqual(write());
  });
});

describe('a frame of short requests', () => {
  it('is written as ever', () => {
    const request = TurnRequest.decode(new Uint8Array());
    const envelopes = [1, 2].map((exchange) => ({ exchange, request: { ...request, model: 'm' }, weight: 0 }));
    expect(createFrameSerializer(turns)({ envelopes })).toEqual(turns.requestSerialize({ envelopes }));
  });
});
