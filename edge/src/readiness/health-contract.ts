import { connect, type Stub } from '@parley/kit/rpc/client';

const SERVING = 1;

/** `grpc.health.v1.Health/Check`, as every service of the gateway offers it beside its own contract. */
const HEALTH = {
  check: {
    path: '/grpc.health.v1.Health/Check',
    requestStream: false,
    responseStream: false,
    // An empty request asks for the server as a whole.
    requestSerialize: () => Buffer.alloc(0),
    requestDeserialize: () => ({}),
    // The one field of the answer: number 1, a varint below 128.
    responseSerialize: ({ serving }: { serving: boolean }) => Buffer.from([0x08, serving ? SERVING : 2]),
    responseDeserialize: (bytes: Buffer) => ({ serving: bytes[0] === 0x08 && bytes[1] === SERVING }),
  },
} as const;

/** Connects to the health service at a gRPC address. */
export function connectHealth(address: string): Stub<typeof HEALTH> {
  return connect(HEALTH, address);
}
