import { type Fault, type Operation } from './faults.ts';

/** The faults ordered for one account, in order. */
export class FaultQueue {
  private faults: Fault[] = [];

  add(fault: Fault): void {
    this.faults.push({ ...fault });
  }

  /** The fault that an operation meets, in this conversation (undefined: in none), counted as met. */
  take(on: Operation, conversationId?: string): Fault | undefined {
    if (this.faults.length === 0) return undefined;
    const fault = this.faults.find(
      (each) => each.on === on && (each.conversation_id === undefined || each.conversation_id === conversationId),
    );
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
