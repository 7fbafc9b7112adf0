import { describe, expect, test } from "vitest";
import { createKeyRing } from "../../src/domain/keys/key-ring.ts";
import { isStale, refuseProducts } from "../../src/rules/catalog/catalog-writes.ts";
import { resolveCategory } from "../../src/rules/catalog/category-filter.ts";
import {
  changesAvailability,
  isInStock,
  onHandOf,
  type StockCount,
} from "../../src/rules/catalog/stock.ts";
import { isTokenRevoked } from "../../src/rules/checkout/buyer.ts";
import type {
  KeyClaim,
  SessionDraft,
  StoredReply,
} from "../../src/rules/checkout/checkout-records.ts";
import { derivedUrls, externalUrls, readToken } from "../../src/rules/checkout/checkout-urls.ts";
import {
  decideClaim,
  decideSessionDraft,
  type IdempotencyKey,
  keyState,
} from "../../src/rules/checkout/key-state.ts";
import { isHitInWindow } from "../../src/rules/checkout/limits.ts";
import type { ProductRecord } from "../../src/rules/records.ts";
import { session } from "../payments/order-fixtures.ts";

const day = 86_400_000;
const now = Date.UTC(2026, 0, 15);

const reply: StoredReply = {
  status: 201,
  body: "{}",
  request_id: "req_1",
  session_id: session.id,
  fingerprint: "print",
  created_at: now,
};

const held: IdempotencyKey = {
  fingerprint: "print",
  session_id: session.id,
  reply: null,
  lock_token: "lock",
  locked_until: now + 1,
  created_at: now,
};
const finished: IdempotencyKey = { ...held, reply, lock_token: null, locked_until: 0 };
/** The session that an earlier call of the request has begun: it can still be paid. */
const begun = { ...session, expires_at: now + 1 };

describe("what an idempotency key means for a request", () => {
  test.each([
    ["an unknown key is free", null, "print", "free"],
    ["a key with a reply is a replay", finished, "print", "replay"],
    ["with another body it is refused", finished, "other", "different_body"],
    ["a held key is in progress", held, "print", "in_progress"],
    ["a held key with another body is refused", held, "other", "different_body"],
    ["a claim that ends now is over", { ...held, locked_until: now }, "print", "free"],
    ["another body can take what is over", { ...held, locked_until: now }, "other", "free"],
    ["a released key is free", { ...held, lock_token: null }, "print", "free"],
    [
      "a day minus a millisecond keeps it",
      { ...finished, created_at: now - day + 1 },
      "print",
      "replay",
    ],
    ["after a day it is free", { ...finished, created_at: now - day }, "print", "free"],
    ["after a day also a held one is", { ...held, created_at: now - day }, "print", "free"],
  ] as const)("%s", (_name, key, fingerprint, outcome) => {
    expect(keyState(key, session, fingerprint, now).outcome).toBe(outcome);
  });

  test("another body is told the first request and its session", () => {
    expect(keyState(finished, session, "other", now)).toEqual({
      outcome: "different_body",
      request_id: reply.request_id,
      known_session: session,
    });
    expect(keyState(held, null, "other", now)).toMatchObject({ request_id: null });
  });

  const over = { ...held, locked_until: now };
  test.each([
    ["an unknown key has none", null, begun, "print", false],
    ["a claim that is over leaves it", over, begun, "print", true],
    ["a released key leaves it", { ...held, lock_token: null }, begun, "print", true],
    ["one that ends now is over", over, { ...begun, expires_at: now }, "print", false],
    ["another body has none", over, begun, "other", false],
    ["a key of a day ago has none", { ...over, created_at: now - day }, begun, "print", false],
    ["an older version stored none", over, null, "print", false],
  ] as const)("the begun session of a free key: %s", (_name, key, known, fingerprint, isLeft) => {
    expect(keyState(key, known, fingerprint, now)).toEqual({
      outcome: "free",
      draft: isLeft ? begun : null,
    });
  });

  test("a replay gives the stored reply and its session", () => {
    expect(keyState(finished, session, "print", now)).toEqual({
      outcome: "replay",
      reply,
      session,
    });
  });
});

describe("the claim of a key", () => {
  const claim: KeyClaim = {
    fingerprint: "print",
    lock_token: "mine",
    session: { ...session, id: "cs_new", expires_at: now + day },
    now,
    locked_until: now + 30_000,
  };
  const over = { ...held, locked_until: now, created_at: now - 5 };

  test("of an unknown one takes it with the session of the request", () => {
    expect(decideClaim(null, null, claim)).toEqual({
      result: { outcome: "claimed", session: claim.session },
      key: {
        fingerprint: "print",
        session_id: "cs_new",
        reply: null,
        lock_token: "mine",
        locked_until: now + 30_000,
        created_at: now,
      },
      session: claim.session,
      is_new_session: true,
    });
  });

  test("that takes over keeps the session that was begun and the key's time", () => {
    const decision = decideClaim(over, begun, claim);
    expect(decision.result).toEqual({ outcome: "claimed", session: begun });
    expect(decision.key).toMatchObject({
      session_id: session.id,
      created_at: now - 5,
      lock_token: "mine",
    });
    expect([decision.session, decision.is_new_session]).toEqual([null, false]);
  });

  test("that takes over from an older version keeps the session's id and the key's time", () => {
    const named = { ...claim.session, id: session.id };
    const decision = decideClaim(over, null, claim);
    expect(decision.result).toEqual({ outcome: "claimed", session: named });
    expect(decision.key).toMatchObject({
      session_id: session.id,
      created_at: now - 5,
      lock_token: "mine",
    });
    expect(decision.session).toEqual(named);
  });

  test.each([
    ["with another body, under a begun session", over, begun, "other", now - 5],
    ["with another body, under no session", over, null, "other", now - 5],
    ["whose begun session is over", over, { ...begun, expires_at: now }, "print", now - 5],
    ["of one that is older than a day", { ...held, created_at: now - day }, begun, "print", now],
    ["of an old one without a session", { ...held, created_at: now - day }, null, "print", now],
  ])("%s makes a session of its own", (_name, key, known, fingerprint, created_at) => {
    const decision = decideClaim(key, known, { ...claim, fingerprint });
    expect(decision.result).toEqual({ outcome: "claimed", session: claim.session });
    expect(decision.key).toMatchObject({ fingerprint, session_id: "cs_new", created_at });
    expect(decision.session).toEqual(claim.session);
    expect(decision.is_new_session).toBe(true);
  });

  test("that is repeated gives its first answer and writes nothing", () => {
    expect(decideClaim({ ...held, lock_token: "mine" }, begun, claim)).toEqual({
      result: { outcome: "claimed", session: begun },
      key: null,
      session: null,
      is_new_session: false,
    });
  });

  test("of one that another holds is refused", () => {
    expect(decideClaim(held, begun, claim)).toEqual({
      result: { outcome: "in_progress" },
      key: null,
      session: null,
      is_new_session: false,
    });
  });
});

describe("the end of a request under a key", () => {
  const checkout_url = "https://host.example/pay";
  const draft = (lock_token: string | null): SessionDraft => ({
    session: { ...session, created_at: now, checkout_url },
    reply,
    lock_token,
  });
  const replied = { ...finished, reply: { ...reply, request_id: "req_other" } };

  test.each([
    ["its holder writes it", held, "lock", "created", true],
    [
      "its holder writes it also after its time",
      { ...held, locked_until: now - 1 },
      "lock",
      "created",
      true,
    ],
    ["an unclaimed request writes an unknown one", null, null, "created", true],
    ["the same step again writes nothing", finished, "lock", "created", false],
    [
      "one that lost its claim while nobody has it is told to wait",
      { ...held, locked_until: now },
      "mine",
      "in_progress",
      false,
    ],
    ["one that lost its claim to another is told to wait", held, "mine", "in_progress", false],
    ["one that lost its claim to a reply gets that reply", replied, "mine", "replay", false],
    ["an unclaimed request meets a held one", held, null, "in_progress", false],
    ["an unclaimed request meets a reply", replied, null, "replay", false],
    [
      "another request with the id of the first one gets its reply",
      { ...finished, session_id: "cs_0" },
      null,
      "replay",
      false,
    ],
    ["a purged claim is lost", null, "mine", "in_progress", false],
  ] as const)("%s", (_name, key, lock_token, outcome, isWritten) => {
    const decision = decideSessionDraft(key, session, draft(lock_token));
    expect(decision.result.outcome).toBe(outcome);
    expect(decision.key).toEqual(isWritten ? finished : null);
    // The session of the claim stays as it is, and gets its address.
    expect(decision.session).toEqual(isWritten ? { ...session, checkout_url } : null);
    expect(decision.is_new_session).toBe(false);
  });

  test.each([
    ["no session", null],
    ["another session", { ...session, id: "cs_2" }],
  ])("a key with %s gets the request's own", (_name, known) => {
    const decision = decideSessionDraft(held, known, draft("lock"));
    expect(decision.session).toEqual(draft("lock").session);
    expect(decision.is_new_session).toBe(true);
  });
});

describe("checkout tokens", () => {
  const ring = (...bytes: number[]) =>
    createKeyRing(
      bytes.map((byte) => new Uint8Array(32).fill(byte)),
      (length) => new Uint8Array(length),
    );
  const base = { live: "https://pay.example/live", test: "https://pay.example/test" };
  const tokenOf = async (livemode: boolean, keys = ring(1)): Promise<string> => {
    const open = { ...session, livemode, seal_key_id: null };
    return (await derivedUrls(keys, base).address(open)).split("/").at(-1) ?? "";
  };

  test.each([true, false])(
    "names store, mode %j and session, and reads them again",
    async (livemode) => {
      const token = await tokenOf(livemode);
      expect(await readToken(ring(1), token)).toEqual({
        partition: { store_id: session.store_id, livemode },
        session_id: session.id,
      });
    },
  );

  test("of an older key of the ring is read", async () => {
    const token = await tokenOf(true);
    expect(await readToken(ring(2, 1), token)).not.toBeNull();
    expect(await readToken(ring(2), token)).toBeNull();
  });

  test.each([
    ["the other mode", (token: string) => token.replace(".live.", ".test.")],
    ["no mode", (token: string) => token.replace(".live.", ".prod.")],
    ["another session", (token: string) => token.replace(session.id, "cs_2")],
    ["another store", (token: string) => token.replace(session.store_id, "str_b")],
    ["a changed signature", (token: string) => `${token.slice(0, -1)}_`],
    ["no signature", (token: string) => token.replace(/\.[^.]+$/, ".")],
    ["a part too many", (token: string) => `${token}.x`],
    ["a part too few", (token: string) => token.split(".").slice(1).join(".")],
    ["more than 300 characters", (token: string) => token + "x".repeat(300)],
  ])("with %s are refused", async (_name, change) => {
    expect(await readToken(ring(1), change(await tokenOf(true)))).toBeNull();
  });

  test("the host's own addresses are stored with their sessions", async () => {
    const build = () => "https://host.example/pay";
    const urls = externalUrls(ring(1), build);
    expect([urls.sealKeyId, urls.build]).toEqual([ring(1).current.id, build]);
    expect(await urls.address({ ...session, checkout_url: "https://a.b" })).toBe("https://a.b");
    expect(await urls.address({ ...session, checkout_url: null })).toBe("");
  });

  test("the host's own address of a session wins", async () => {
    const urls = derivedUrls(ring(1), base);
    const checkout_url = "https://host.example/pay";
    expect(await urls.address({ ...session, checkout_url })).toBe(checkout_url);
    expect(await urls.address({ ...session, livemode: true, seal_key_id: null })).toMatch(
      /^https:\/\/pay\.example\/live\/str_a\.live\.cs_1\./,
    );
  });
});

test.each([
  [now, null, false],
  [now, now, false],
  [now - 1, now, true],
  [now + 1, now, false],
])("a token of %d with the not-before %j is revoked: %j", (issued_at, not_before, isRevoked) => {
  expect(isTokenRevoked(issued_at, not_before)).toBe(isRevoked);
});

test.each([
  ["now", now, true],
  ["a millisecond after the window began", now - 59_999, true],
  ["exactly one window ago", now - 60_000, false],
  ["a second ahead, as clocks differ", now + 1_000, true],
  ["from before the clock was set back", now + 1_001, false],
])("a hit of %s counts: %d, %j", (_name, time, counts) => {
  expect(isHitInWindow(time, now, 60_000)).toBe(counts);
});

const enabled = [
  { id: "cat_1", slug: "one" },
  { id: "cat_2", slug: "two" },
];
test.each([
  [undefined, undefined, { outcome: "all" }],
  ["one", undefined, { outcome: "category", id: "cat_1" }],
  [undefined, "cat_2", { outcome: "category", id: "cat_2" }],
  ["one", "cat_1", { outcome: "category", id: "cat_1" }],
  ["one", "cat_2", { outcome: "conflict" }],
  ["one", "cat_9", { outcome: "conflict" }],
  ["nine", "cat_1", { outcome: "conflict" }],
  ["nine", undefined, { outcome: "unknown" }],
  ["nine", "cat_9", { outcome: "unknown" }],
])("the category of slug %j and id %j is %j", (slug, id, found) => {
  expect(resolveCategory(enabled, { slug, id })).toEqual(found);
});

describe("what a catalog refuses", () => {
  const product = (id: string, slug: string, category_ids: readonly string[] = []) =>
    ({ id, slug, category_ids }) as ProductRecord;
  const stored = {
    skus: new Map(),
    external_ids: new Map(),
    groups: new Map(),
    slugs: new Map([["taken", "prod_9"]]),
    category_ids: new Set(["cat_1"]),
  };

  test.each([
    ["nothing", [product("a", "x"), product("b", "y", ["cat_1"])], null],
    [
      "the slug of one outside the call",
      [product("a", "x"), product("b", "taken")],
      { outcome: "slug_taken", index: 1 },
    ],
    ["its own slug", [product("prod_9", "taken")], null],
    [
      "the slug of one in the call",
      [product("a", "x"), product("b", "x")],
      { outcome: "slug_taken", index: 1 },
    ],
    ["the same product twice", [product("a", "x"), product("a", "x")], null],
    [
      "an unknown category",
      [product("a", "x", ["cat_1", "cat_2"])],
      { outcome: "unknown_category", index: 0 },
    ],
  ])("of products with %s", (_name, products, refusal) => {
    expect(refuseProducts(products, stored)).toEqual(refusal);
  });

  test.each([
    [{ a: 1 }, undefined, false],
    [{ a: 1 }, { a: 1 }, false],
    [{ a: 1 }, { a: 2 }, true],
    [undefined, { a: 1 }, true],
  ])("a change of %j over %j is stale: %j", (found, before, stale) => {
    expect(isStale(found, before)).toBe(stale);
  });
});

describe("pieces on hand", () => {
  test.each([
    [undefined, null, true],
    [{ stock: 3, held: 1, counted: true }, 2, true],
    [{ stock: 1, held: 1, counted: true }, 0, false],
    [{ stock: 0, held: 2, counted: true }, -2, false],
    [{ stock: 3, held: 1, counted: false }, null, true],
    [{ stock: 0, held: 2, counted: false }, null, true],
  ])("of %j are %j, in stock: %j", (count, on_hand, inStock) => {
    expect(onHandOf(count)).toBe(on_hand);
    expect(isInStock(on_hand)).toBe(inStock);
  });

  // Two are held: what is told follows from what is left of them.
  const countOf = (on_hand: number | null): StockCount => ({
    stock: 2 + (on_hand ?? 0),
    held: 2,
    counted: on_hand !== null,
  });

  test.each([
    [1, 0, true],
    [0, 1, true],
    [2, 1, false],
    [0, -1, false],
    [0, null, true],
    [null, 0, true],
    [1, null, false],
    [null, 1, false],
    [null, null, false],
  ])("from %j to %j change what is told of it: %j", (before, after, changes) => {
    expect(changesAvailability(countOf(before), countOf(after))).toBe(changes);
  });

  test.each([
    [1, false],
    [0, true],
    [null, false],
  ])("from a product that was never counted to %j change it: %j", (on_hand, changes) => {
    expect(changesAvailability(undefined, countOf(on_hand))).toBe(changes);
    expect(changesAvailability(countOf(on_hand), undefined)).toBe(changes);
  });
});
