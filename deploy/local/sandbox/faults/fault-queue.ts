import { type Fault } from './faults.ts';

/** The faults ordered for one account, in order. */
export class FaultQueue {
  private faults: Fault[] = [];

  add(fault: Fault): void {
    this.faults.push({ ...fault });
  }

  /** The fault that a request to this conversation meets (undefined: a request to none), counted as met. */
  take(conversationId: string | undefined): Fault | undefined {
    if (this.faults.length === 0) return undefined;
    const fault = this.faults.find(({ conversation_id: only }) => only === undefined || only === conversationId);
    if (fault === undefined) return undefined;
    if (fault.count > 0) fault.count--;
    if (fault.count === 0) this.faults = this.faults.filter((other) => other !== fault);
    return fault;
  }

  clear(): void {
    this.faults = [];
  }

  pending(): readonly Fault[] {
    return this.faults;
  }
}
