import type { Route } from "../contract/route.ts";
import { type FeedFormat, feedParts, openSource } from "../operations/feeds/feed-source.ts";
import { googleFeed } from "../operations/feeds/google.ts";
import { jsonLines } from "../operations/feeds/json-lines.ts";
import type { FeedOperation } from "../operations/operation.ts";
import type { HttpContext } from "./context.ts";
import { catalogName, dataTag, matchesTag, tagOf } from "./replies/etag.ts";
import { baseHeaders, bodyFor, notModified } from "./replies/reply.ts";
import { callerOf, type RequestState } from "./request-state.ts";
import type { WireReply } from "./wire.ts";

const formats: Readonly<
  Record<FeedOperation, (source: Awaited<ReturnType<typeof openSource>>) => FeedFormat>
> = { getGoogleFeed: googleFeed, getProductFeed: jsonLines };

/** The most characters of a feed that is held whole, so that it can be cached and tagged. */
const maxHeld = 1_048_576;

/**
 * Answers with all products of the catalog. A longer feed is a stream, which reads a page of the
 * catalog when the client has taken the one before.
 */
export async function answerFeed(
  ctx: HttpContext,
  state: RequestState,
  operation: FeedOperation,
  route: Route,
): Promise<WireReply> {
  // The version of a host's own catalog is not known: its feed is tagged by what it holds.
  const name = ctx.catalog.versioned ? feedName(ctx, state, route) : null;
  const cached = name === null ? undefined : ctx.catalogCache.get(name);
  const known = cached?.tag ?? (name === null ? null : await tagOf(name));
  if (known !== null && matchesTag(state.request, known, cached !== undefined))
    return notModified(state, known);
  if (cached) return feedReply(state, route, cached.tag, cached.result.data);

  const caller = callerOf(state);
  const format = formats[operation](await openSource(ctx, caller));
  const parts = feedParts(ctx, caller, format);
  const { text, isWhole } = await readAhead(parts);
  if (!isWhole) {
    const body = encoded(text, parts, (error) => ctx.onError(error, "feeds"));
    if (known !== null && matchesTag(state.request, known, true)) return notModified(state, known);
    return feedReply(state, route, known, body);
  }

  const result = { data: text, page: null };
  const tag = known ?? (await dataTag(state, result));
  if (name !== null) ctx.catalogCache.set(name, { tag, result });
  return matchesTag(state.request, tag, true)
    ? notModified(state, tag)
    : feedReply(state, route, tag, text);
}

const feedName = (ctx: HttpContext, state: RequestState, route: Route): string =>
  `${catalogName(ctx, state, route)}\n${ctx.productUrl}`;

async function readAhead(
  parts: AsyncIterator<string>,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  let text = "";
  while (text.length <= maxHeld) {
    const { done, value } = await parts.next();
    if (done) return { text, isWhole: true };
    text += value;
  }
  return { text, isWhole: false };
}

/** Reports a failure in the middle, which breaks the answer off. */
async function* encoded(
  begin: string,
  rest: AsyncIterable<string>,
  onError: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  try {
    yield encoder.encode(begin);
    for await (const part of rest) yield encoder.encode(part);
  } catch (error) {
    onError(error);
    throw error;
  }
}

function feedReply(
  state: RequestState,
  route: Route,
  tag: string | null,
  body: string | AsyncIterable<Uint8Array>,
): WireReply {
  const headers = {
    ...baseHeaders(state, route),
    "content-type": `${route.reply.media}; charset=utf-8`,
    ...(tag !== null && { etag: tag }),
  };
  if (typeof body !== "string") return { status: 200, headers, body };
  return { status: 200, headers, body: bodyFor(state, headers, body) };
}
