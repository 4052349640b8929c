import { Control } from '@parley/protos/common/v1/frame';
import { GatewayError } from '@parley/protos/errors';
import { createLogger } from '../../log/logger.ts';
import { type CallInit } from '../call.ts';
import { connect, type ConnectOptions, type Stub } from '../client.ts';
import { type ServiceEndpoint, type ListenAddress, serve } from '../serve.ts';
import { type Handlers } from '../service-implementation.ts';

/** The one message of the test contract. */
export interface Text {
  text: string;
}

interface TextFrame {
  envelopes: { exchange: number; control?: Control; request?: Text; response?: Text; weight: number }[];
}

const toBytes = (value: Text): Buffer => Buffer.from(JSON.stringify(value));
const fromBytes = (bytes: Buffer): Text => JSON.parse(bytes.toString()) as Text;

/** Control messages use their real encoding, so that invalid values fail here too. */
const frameToBytes = (frame: TextFrame): Buffer =>
  Buffer.from(
    JSON.stringify(
      frame.envelopes.map(({ control, ...rest }) => ({
        ...rest,
        control: control && Buffer.from(Control.encode(control).finish()).toString('base64'),
      })),
    ),
  );

const frameFromBytes = (bytes: Buffer): TextFrame => {
  if (bytes.length === 0) return { envelopes: [] };
  const envelopes = JSON.parse(bytes.toString()) as {
    exchange: number;
    weight: number;
    control?: string;
    request?: Text;
    response?: Text;
  }[];
  return {
    envelopes: envelopes.map(({ control, ...rest }) => ({
      ...rest,
      control: control === undefined ? undefined : Control.decode(Buffer.from(control, 'base64')),
    })),
  };
};

const text = { requestSerialize: toBytes, requestDeserialize: fromBytes, responseSerialize: toBytes, responseDeserialize: fromBytes };
const frames = {
  requestSerialize: frameToBytes,
  requestDeserialize: frameFromBytes,
  responseSerialize: frameToBytes,
  responseDeserialize: frameFromBytes,
};

/** A contract with one method of each kind, in the form of ts-proto's output. */
export const Echo = {
  say: { path: '/test.Echo/Say', requestStream: false, responseStream: false, ...text },
  count: { path: '/test.Echo/Count', requestStream: false, responseStream: true, ...text },
  collect: { path: '/test.Echo/Collect', requestStream: true, responseStream: false, ...text },
  talk: { path: '/test.Echo/Talk', requestStream: true, responseStream: true, ...frames },
} as const;

/** Caller and trace of the calls in these tests. */
export const INIT: CallInit = {
  caller: { workspaceId: 'w', keyId: 'k', userId: 'u', scopes: ['chat'], requestId: 'r' },
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
};

/** Both transports. */
export const TRANSPORTS: readonly ListenAddress[] = ['in-process', '127.0.0.1:0'];

/** A served contract, a connection to it and its log. */
export interface EchoFixture {
  endpoint: ServiceEndpoint;
  stub: Stub<typeof Echo>;
  /** Lines of the log. */
  logged: { err: { message: string }; method: string; requestId: string; msg: string }[];
  close(): Promise<void>;
}

/** Serves the given handlers; the others throw NOT_IMPLEMENTED. */
export async function openEcho(
  listen: ListenAddress,
  handlers: Partial<Handlers<typeof Echo>>,
  options: ConnectOptions = {},
): Promise<EchoFixture> {
  const logged: EchoFixture['logged'] = [];
  const log = createLogger({
    service: 'echo',
    destination: { write: (line) => void logged.push(JSON.parse(line) as EchoFixture['logged'][0]) },
  });
  const missing = () => {
    throw new GatewayError('NOT_IMPLEMENTED', 'not in this test');
  };
  const endpoint = await serve(Echo, { say: missing, count: missing, collect: missing, talk: missing, ...handlers }, listen, log);
  const stub = connect(Echo, endpoint.address, options);
  return {
    endpoint,
    stub,
    logged,
    close: async () => {
      stub.close();
      await endpoint.close();
    },
  };
}
