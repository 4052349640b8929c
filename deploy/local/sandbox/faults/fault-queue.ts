import { type Fault, type Operation } from './faults.ts';

/** The pending faults of one account, in order. */
export class FaultQueue {
  private faults: Fault[] = [];

  add(fault: Fault): void {
    this.faults.push({ ...fault });
  }

  /** Takes the next fault of an operation, in this conversation (undefined: outside of any), and counts it. */
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
