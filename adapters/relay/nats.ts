import type { RelayedEvent, RelayOptions } from "#core/webhooks/relay.ts";

/** The parts of `jetstream(connection)` of `@nats-io/jetstream` that are used. */
export interface JetStream {
  publish(
    subject: string,
    payload: string,
    options: { readonly msgID: string; readonly timeout: number },
  ): Promise<{ readonly stream: string }>;
  jetstreamManager(): Promise<{
    readonly streams: {
      find(subject: string): Promise<string>;
      info(stream: string): Promise<{ readonly config: StreamConfig }>;
    };
  }>;
}

interface StreamConfig {
  readonly subjects?: readonly string[];
  /** In nanoseconds. */
  readonly duplicate_window: number;
}

/** The options of `natsPublisher`. */
export interface NatsOptions {
  /**
   * Each subject begins with it. It is `vitrine` by default, and may have several
   * tokens: `shop.events`.
   */
  readonly prefix?: string | undefined;
  /** Milliseconds that JetStream has to acknowledge a message. Default 5,000. */
  readonly timeoutMs?: number | undefined;
  /** Called once when the stream forgets ids too early. It is `console.warn` by default. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** A try that is repeated may come this long after the one before. */
const shortestWindowMs = 600_000;
const token = /^[^\s.*>]+$/;

/**
 * Publishes to JetStream for `storefront.relayEvents({ publish, … })`. The subject
 * is `{prefix}.{store}.{live|test}.{type}`, the message the event's own bytes, and
 * `Nats-Msg-Id` the event's id, so that JetStream drops a repeated message within
 * the stream's duplicate window. It creates no stream: before the first message it
 * looks for the stream that takes `{prefix}.>`, and throws when there is none.
 */
export function natsPublisher(js: JetStream, options: NatsOptions = {}): RelayOptions["publish"] {
  const { prefix = "vitrine", timeoutMs = 5_000, onWarning = console.warn } = options;
  if (typeof js?.publish !== "function" || typeof js.jetstreamManager !== "function")
    throw new TypeError("natsPublisher takes jetstream(connection) of @nats-io/jetstream.");
  if (typeof prefix !== "string" || !prefix.split(".").every((part) => token.test(part)))
    throw new TypeError("Option prefix must be tokens joined by dots, without blanks, * and >.");

  if (!(Number.isSafeInteger(timeoutMs) && timeoutMs > 0))
    throw new TypeError("Option timeoutMs must be a whole number of milliseconds from 1.");
  if (typeof onWarning !== "function") throw new TypeError("Option onWarning must be a function.");

  let checking: Promise<void> | undefined;
  const checkOnce = (): Promise<void> => {
    checking ??= checkStream(js, prefix, onWarning).catch((error: unknown) => {
      // The stream may be made, or the server be back, at the next try.
      checking = undefined;
      throw error;
    });
    return checking;
  };

  return async (event) => {
    await checkOnce();
    await js.publish(subjectOf(prefix, event), event.body, {
      msgID: event.id,
      timeout: timeoutMs,
    });
  };
}

const subjectOf = (prefix: string, { store_id, livemode, type }: RelayedEvent): string =>
  `${prefix}.${asToken(store_id)}.${livemode ? "live" : "test"}.${type}`;

/** Writes a store's id as one token: dots, blanks and wildcards become `%` and their code. */
const asToken = (id: string): string =>
  encodeURIComponent(id).replaceAll(".", "%2E").replaceAll("*", "%2A");

async function checkStream(
  js: JetStream,
  prefix: string,
  onWarning: (message: string) => void,
): Promise<void> {
  const subjects = `${prefix}.>`;
  const { streams } = await js.jetstreamManager();
  const name = await streams.find(subjects).catch((cause: unknown) => {
    throw new Error(
      `JetStream has no stream for ${subjects}, or does not answer. ` +
        `Make one: nats stream add --subjects "${subjects}" --dupe-window 10m`,
      { cause },
    );
  });

  const { config } = await streams.info(name);
  if (!config.subjects?.some((pattern) => covers(pattern, subjects)))
    throw new Error(
      `Stream ${name} does not take every subject of ${subjects}. ` +
        `Add them: nats stream edit ${name} --subjects "${subjects}"`,
    );

  const windowMs = config.duplicate_window / 1e6;
  if (windowMs < shortestWindowMs)
    onWarning(
      `Stream ${name} forgets the ids of messages after ${windowMs / 1_000} s. An event that is ` +
        "published again later stands in it twice: set its duplicate window to 10 minutes or more.",
    );
}

/** Tells whether a stream's subject takes everything below `wanted`, which ends in `>`. */
function covers(pattern: string, wanted: string): boolean {
  const tokens = wanted.split(".");
  const parts = pattern.split(".");
  if (parts.at(-1) !== ">" || parts.length > tokens.length) return false;

  return parts.slice(0, -1).every((part, at) => part === "*" || part === tokens[at]);
}
