import { describe, expect, it } from '@jest/globals';
import { type ServerStream, WINDOW_BYTES } from '@parley/kit/rpc/multiplexed-call';
import { type TurnEvent } from '@parley/protos/routing/v1/routing';
import { TurnRelay } from './turn-relay.ts';

const ACCEPTED = { conversationId: 'c', messageId: 'm', model: 'x', created: 1 };

const ARTIFACT = { assetId: 'i', assetType: 'image', fileName: 'a.png', mimeType: 'image/png', connectionId: 'c', reference: 'r' };

function bench(isStream = true) {
  const events: string[] = [];
  const holds: string[] = [];
  const client = { room: true };
  const stream: ServerStream<TurnEvent> = {
    write: ({ event }) => {
      events.push(event?.$case === 'deltas' ? event.value.texts.join('') : (event?.$case ?? ''));
      return client.room;
    },
    end: () => undefined,
    fail: () => undefined,
    onDrain: null,
    onCancel: null,
  };
  const relay = new TurnRelay(stream, isStream);
  const hold = { pause: () => holds.push('pause'), resume: () => holds.push('resume'), stop: () => undefined };
  return { relay, events, holds, client, hold, drain: () => stream.onDrain?.() };
}

describe('TurnRelay', () => {
  it('lets nothing out before the acceptance is sent, and then all of it in order', () => {
    const { relay, events } = bench();
    relay.sendDeltas(['a'], 1);
    relay.sendDeltas(['b', 'c'], 2);
    expect(events).toEqual([]);
    relay.sendAccepted(ACCEPTED);
    relay.sendAccepted(ACCEPTED);
    relay.sendDeltas(['d'], 1);
    expect(events).toEqual(['accepted', 'abc', 'd']);
  });

  it('relays nothing of an answer that is not streamed', () => {
    const { relay, events } = bench(false);
    relay.sendDeltas(['a'], 1);
    relay.sendAccepted(ACCEPTED);
    relay.sendDeltas(['b'], 1);
    expect(events).toEqual(['accepted']);
  });

  it('holds back what the upstream made in the same way, also of an answer that is not streamed', () => {
    for (const isStream of [true, false]) {
      const { relay, events } = bench(isStream);
      relay.sendArtifact(ARTIFACT);
      relay.sendDeltas(['a'], 1);
      expect(events).toEqual([]);
      relay.sendAccepted(ACCEPTED);
      relay.sendArtifact(ARTIFACT);
      expect(events).toEqual(isStream ? ['accepted', 'artifact', 'a', 'artifact'] : ['accepted', 'artifact', 'artifact']);
    }
  });

  it('pauses the upstream when too much comes too early, and resumes it when that is out', () => {
    const { relay, holds, hold } = bench();
    relay.attach(hold);
    relay.sendDeltas(['a'], WINDOW_BYTES - 1);
    expect(holds).toEqual([]);
    relay.sendDeltas(['b'], 1);
    expect(holds).toEqual(['pause']);
    relay.sendAccepted(ACCEPTED);
    expect(holds).toEqual(['pause', 'resume']);
  });

  it('does not resume for a client that has not read what was held back', () => {
    const { relay, holds, hold, client, drain } = bench();
    relay.attach(hold);
    client.room = false;
    relay.sendDeltas(['a'], WINDOW_BYTES);
    relay.sendAccepted(ACCEPTED);
    expect(holds).toEqual(['pause', 'pause']);
    drain();
    drain();
    expect(holds).toEqual(['pause', 'pause', 'resume']);
  });

  it('pauses an upstream that it gets to hold later', () => {
    const { relay, holds, hold } = bench();
    relay.sendDeltas(['a'], WINDOW_BYTES);
    relay.attach(hold);
    expect(holds).toEqual(['pause']);
  });

  it('pauses for a full client until it drains', () => {
    const { relay, holds, hold, client, drain } = bench();
    relay.attach(hold);
    relay.sendAccepted(ACCEPTED);
    drain();
    relay.sendDeltas(['a'], 1);
    expect(holds).toEqual([]);
    client.room = false;
    relay.sendDeltas(['b'], 1);
    client.room = true;
    drain();
    expect(holds).toEqual(['pause', 'resume']);
  });
});
