/** A message of a provider to a host. */
export interface OutboxMessage {
  readonly id: string;
  readonly body: string;
}

/** Sends a message and gives the status that the host answered. */
export type Send = (message: OutboxMessage) => Promise<number>;

/**
 * The messages that a provider has not delivered yet. A test decides when they go, in which order,
 * and which of them come twice or never.
 */
export class Outbox {
  #waiting: OutboxMessage[] = [];
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  get waiting(): readonly OutboxMessage[] {
    return this.#waiting;
  }

  add(message: OutboxMessage): void {
    this.#waiting.push(message);
  }

  /** Takes the waiting messages without sending them: they are lost, or sent by hand later. */
  take(): readonly OutboxMessage[] {
    return this.#waiting.splice(0);
  }

  send(message: OutboxMessage): Promise<number> {
    return this.#send(message);
  }

  /** Sends what waits, one by one. What is not answered with 2xx waits again. */
  async deliver(
    order: (messages: OutboxMessage[]) => OutboxMessage[] = (all) => all,
  ): Promise<void> {
    for (const message of order([...this.take()])) {
      const status = await this.#send(message).catch(() => 0);
      if (status < 200 || status > 299) this.#waiting.push(message);
    }
  }
}

/** An order of messages that is drawn anew each time: some twice, all shuffled. */
export function shuffledWithRepeats(messages: readonly OutboxMessage[]): OutboxMessage[] {
  const repeated = messages.flatMap((message) =>
    Math.random() < 0.3 ? [message, message] : message,
  );
  const keyed = repeated.map((message) => ({ message, key: Math.random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ message }) => message);
}
