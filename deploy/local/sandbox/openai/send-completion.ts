import { type ServerResponse } from 'node:http';
import { type WireFault } from '../faults/faults.ts';
import { writeHugeEvent } from '../faults/huge-event.ts';
import { type Generation } from '../generation/generation.ts';
import { destroyAfterWrites } from '../generation/stream-generation.ts';
import { sendJson } from '../http/respond.ts';

/** Calls `then` once the generation of the reply has ended. */
export function onGenerationEnd(generation: Generation, then: () => void): void {
  if (generation.ending !== undefined) return then();
  generation.subscribe(() => {
    if (generation.ending !== undefined) then();
  });
}

/** Sends a completion as one JSON body; a wire fault corrupts it. */
export function sendCompletion(res: ServerResponse, body: unknown, fault: WireFault | undefined): void {
  if (fault === undefined) return sendJson(res, 200, body);
  if (res.destroyed) return;
  const text = JSON.stringify(body);
  res.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' });
  switch (fault.kind) {
    case 'half_open':
      res.write(text.slice(0, text.length / 2));
      return;
    case 'cut':
      res.write(text.slice(0, text.length / 2));
      return destroyAfterWrites(res);
    case 'bad_json':
      res.end(text.slice(0, -1));
      return;
    case 'huge_event':
      void writeHugeEvent(res, '{"padding":', `,${text.slice(1)}`).then(() => res.end());
      return;
  }
}
