import { type MixedTurn } from '../load/protocol.ts';
import { requestFor } from '../run/request-for.ts';
import { type StartedTarget } from '../run/rig.ts';

interface Kind {
  model: string;
  stream: boolean;
  continued: boolean;
  aborted?: boolean;
}

const WHOLE: Kind = { model: 'fast', stream: false, continued: false };
const WHOLE_AGAIN: Kind = { ...WHOLE, continued: true };
const STREAM: Kind = { model: 'chunks-64', stream: true, continued: false };
const STREAM_AGAIN: Kind = { ...STREAM, continued: true };
// 32 chunks, 5 ms apart: when the first has come there is something left to break off.
const CUT: Kind = { model: 'stamped', stream: true, continued: false, aborted: true };
const CUT_AGAIN: Kind = { ...CUT, continued: true };

/** Five in ten are streams, five in ten go on with a conversation, and of twenty turns three hang up; short kinds stand between long ones. */
const ROTATION: readonly Kind[] = [
  WHOLE,
  STREAM_AGAIN,
  WHOLE_AGAIN,
  STREAM,
  WHOLE,
  CUT,
  WHOLE_AGAIN,
  STREAM_AGAIN,
  WHOLE,
  STREAM,
  WHOLE_AGAIN,
  STREAM_AGAIN,
  WHOLE,
  CUT_AGAIN,
  WHOLE_AGAIN,
  STREAM,
  WHOLE,
  CUT,
  WHOLE_AGAIN,
  STREAM_AGAIN,
];

/** The turns of a soak for one target, in rotation. */
export function soakTurns(target: StartedTarget): MixedTurn[] {
  return ROTATION.map(({ model, stream, continued, aborted = false }) => {
    const { body, expect } = requestFor(target, model, stream);
    return { body, expect, continued, aborted };
  });
}
