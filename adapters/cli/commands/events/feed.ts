import { setTimeout as sleep } from "node:timers/promises";
import { isStorefrontError } from "#core/client/error.ts";
import type { WebhookEvent } from "#core/client/types.ts";
import type { Call } from "../../frame/command.ts";

interface FeedPage {
  readonly events: readonly WebhookEvent[];
  /** Go on from here. Null while the store has no event. */
  readonly cursor: string | null;
  /** True when the store had no later event while the page was read. */
  readonly isLast: boolean;
}

interface FeedStart {
  readonly cursor: string | null;
  /** True to skip what is there already. */
  readonly fromNow: boolean;
}

const everyMs = 1_000;
const pageSize = 100;

/**
 * Polls the events of an API, oldest first and without gaps, until Ctrl-C. An API that
 * does not answer is asked again: the cursor is the caller's, so that nothing is lost.
 */
export async function* pollEvents(
  call: Call,
  { cursor, fromNow }: FeedStart,
): AsyncGenerator<FeedPage> {
  const { screen, signal } = call;
  let after = cursor;
  let skipping = fromNow;
  let skipped = 0;
  let isDown = false;
  while (!signal.aborted) {
    const page = await readPage(call, after).catch((error: unknown) => {
      if (!isTemporary(error)) throw error;
      if (!isDown && !signal.aborted) screen.note(`The API does not answer: trying again.`);
      isDown = true;
      return null;
    });
    if (page) {
      isDown = false;
      after = page.next_cursor ?? after;
      skipped += skipping ? page.data.length : 0;
      if (skipping) screen.progress(`Looking for the newest event: ${skipped} so far`);
      const isLast = !page.has_more;
      if (!skipping) yield { events: page.data, cursor: after, isLast };
      else if (isLast) yield { events: [], cursor: after, isLast };
      if (page.has_more) continue;

      screen.settle();
      skipping = false;
    }
    await sleep(everyMs, undefined, { signal }).catch(() => {});
  }
}

const readPage = ({ api, signal }: Call, after: string | null) =>
  api().client.listEvents(
    { limit: pageSize, ...(after !== null && { starting_after: after }) },
    { signal },
  );

const isTemporary = (error: unknown): boolean =>
  !isStorefrontError(error) || error.status === 0 || error.status === 429 || error.status >= 500;
