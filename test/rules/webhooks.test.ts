import { describe, expect, test } from "vitest";
import { compareTurns } from "../../src/rules/webhooks/claim-turns.ts";
import {
  firstDelivery,
  leased,
  recordOf,
  restarted,
  type StoredDelivery,
  settledDelivery,
  settleOutcomeOf,
  skipped,
} from "../../src/rules/webhooks/deliveries.ts";
import {
  type EndpointHealth,
  healthy,
  judgeEndpoint,
  resetsHealth,
} from "../../src/rules/webhooks/health.ts";
import { decideResend } from "../../src/rules/webhooks/resend.ts";
import { rotated } from "../../src/rules/webhooks/rotate.ts";
import { defaultSchedule, nextDue } from "../../src/rules/webhooks/schedule.ts";
import type { EndpointRecord, Settlement } from "../../src/rules/webhooks/webhook-records.ts";
import { settlementsOfHealth, workerLost } from "../../src/rules/webhooks/worker-lost.ts";

const hour = 3_600_000;
const now = Date.UTC(2026, 0, 15);

const endpoint: EndpointRecord = {
  store_id: "str_a",
  livemode: true,
  id: "we_1",
  url: "https://hooks.example.com/",
  event_types: null,
  state: "enabled",
  disabled_reason: null,
  description: null,
  secrets: [],
  created_at: 1,
};

const settlement = (changes: Partial<Settlement> = {}): Settlement => ({
  store_id: "str_a",
  endpoint_id: "we_1",
  event_id: "evt_1",
  lease_token: "lease",
  delivered: false,
  due_at: now + hour,
  alert_id: "alr_1",
  log: { started_at: now, duration_ms: 1, status: 500, error: "http_status", snippet: null },
  ...changes,
});

const delivery = (changes: Partial<StoredDelivery> = {}): StoredDelivery => ({
  ...firstDelivery(endpoint, { event_id: "evt_1", event_type: "order.paid", created_at: 5 }),
  ...changes,
});

describe("the health of an endpoint", () => {
  const failing = (changes: Partial<EndpointHealth> = {}): EndpointHealth => ({
    failing_since: now - 72 * hour,
    failed_attempts: 19,
    failed_event: "evt_0",
    several_events: true,
    warned: true,
    ...changes,
  });

  test.each([
    ["72 hours, twenty failures and two events disable it", {}, true],
    ["a millisecond less than 72 hours does not", { failing_since: now - 72 * hour + 1 }, false],
    ["nineteen failures do not", { failed_attempts: 18 }, false],
    [
      "one event that fails again and again does not",
      { failed_event: "evt_1", several_events: false },
      false,
    ],
    ["a second event is told from the first", { several_events: false }, true],
  ] as const)("%s", (_name, changes, isDisabled) => {
    const decision = judgeEndpoint(endpoint, failing(changes), [settlement()], now);
    expect(decision.isDisabled).toBe(isDisabled);
    expect(decision.endpoint).toEqual(
      isDisabled ? { ...endpoint, state: "disabled", disabled_reason: "failing" } : endpoint,
    );
    expect(decision.alert?.type ?? null).toBe(isDisabled ? "endpoint_disabled" : null);
  });

  test("the alert names the endpoint, its mode, and since when how often it failed", () => {
    const { alert } = judgeEndpoint(endpoint, failing(), [settlement()], now);
    expect(alert).toEqual({
      id: "alr_1",
      created_at: now,
      store_id: "str_a",
      livemode: true,
      type: "endpoint_disabled",
      subject: "we_1",
      data: { failing_since: "2026-01-12T00:00:00.000Z", failed_attempts: 20 },
    });
  });

  test.each([
    ["after 24 hours its owner is warned", { failing_since: now - 24 * hour, warned: false }, true],
    [
      "a millisecond earlier nobody is",
      { failing_since: now - 24 * hour + 1, warned: false },
      false,
    ],
    ["and once only", { failing_since: now - 25 * hour, warned: true }, false],
  ] as const)("%s", (_name, changes, isWarned) => {
    const decision = judgeEndpoint(endpoint, failing(changes), [settlement()], now);
    expect(decision.alert?.type ?? null).toBe(isWarned ? "endpoint_failing" : null);
    expect(decision.isDisabled).toBe(false);
    expect(decision.health.warned).toBe(isWarned || changes.warned);
  });

  test("the first failure begins the count, and keeps its event", () => {
    const batch = [settlement(), settlement({ event_id: "evt_2" })];
    expect(judgeEndpoint(endpoint, healthy, [settlement()], now).health).toEqual({
      failing_since: now,
      failed_attempts: 1,
      failed_event: "evt_1",
      several_events: false,
      warned: false,
    });
    expect(judgeEndpoint(endpoint, healthy, batch, now).health).toMatchObject({
      failed_attempts: 2,
      failed_event: "evt_1",
      several_events: true,
    });
  });

  test("one success in a batch proves it healthy, wherever it stands", () => {
    const success = settlement({ delivered: true });
    for (const batch of [
      [success, settlement()],
      [settlement(), success],
    ])
      expect(judgeEndpoint(endpoint, failing(), batch, now)).toEqual({
        health: healthy,
        endpoint,
        isDisabled: false,
        alert: null,
      });
  });

  test.each([
    ["disabled", "enabled", true],
    ["enabled", "enabled", false],
    ["enabled", "disabled", false],
    ["disabled", "disabled", false],
  ] as const)("from %s to %s the failures count from zero: %j", (before, after, resets) => {
    expect(resetsHealth({ state: before }, { state: after })).toBe(resets);
  });
});

describe("the schedule", () => {
  test("there are seven attempts within 32 hours and 36 minutes", () => {
    const minutes = defaultSchedule.map((wait) => wait / 60_000);
    expect(minutes).toEqual([1, 5, 30, 120, 360, 1_440]);
  });

  test.each([
    [1, 1_010],
    [2, 1_020],
    [3, null],
  ])("attempt %d of three is followed at %j", (attempt, due) => {
    expect(nextDue([10, 20], attempt, 1_000)).toBe(due);
  });
});

describe("a delivery", () => {
  test("of an enabled endpoint is due at once, of a disabled one it is skipped", () => {
    expect(delivery()).toEqual({
      store_id: "str_a",
      livemode: true,
      endpoint_id: "we_1",
      event_id: "evt_1",
      event_type: "order.paid",
      state: "pending",
      attempts: 0,
      failures: 0,
      due_at: 5,
      created_at: 5,
      updated_at: 5,
      lease_token: null,
      lost_leases: 0,
      resume_state: null,
      resume_due: null,
    });
    const event = { event_id: "evt_1", event_type: "order.paid", created_at: 5 } as const;
    expect(firstDelivery({ ...endpoint, state: "disabled" }, event).state).toBe("skipped");
  });

  test("that is leased again without an outcome counts a lost lease", () => {
    const first = leased(delivery(), 90, "one");
    expect(first).toMatchObject({ due_at: 90, lease_token: "one", lost_leases: 0 });
    expect(leased(first, 180, "two")).toMatchObject({ lease_token: "two", lost_leases: 1 });
  });

  test("shows nothing of what its workers need", () => {
    expect(Object.keys(recordOf(delivery())).sort()).toEqual([
      "attempts",
      "created_at",
      "due_at",
      "endpoint_id",
      "event_id",
      "event_type",
      "livemode",
      "state",
      "store_id",
      "updated_at",
    ]);
  });

  const held = delivery({
    state: "pending",
    lease_token: "lease",
    lost_leases: 2,
    attempts: 3,
    failures: 2,
    due_at: 900,
  });
  const ended = { lease_token: null, lost_leases: 0, resume_state: null, resume_due: null };

  test.each([
    [
      "a success ends it",
      held,
      { delivered: true },
      { state: "delivered", attempts: 4, failures: 2, due_at: 900 },
    ],
    [
      "a success counts also when another worker holds it",
      { ...held, lease_token: "other" },
      { delivered: true },
      { state: "delivered", attempts: 4 },
    ],
    [
      "a success counts also after the schedule was over",
      { ...held, state: "exhausted", lease_token: null },
      { delivered: true },
      { state: "delivered" },
    ],
    [
      "a failure is followed by the next try",
      held,
      { due_at: 5_000 },
      { state: "pending", attempts: 4, failures: 3, due_at: 5_000 },
    ],
    [
      "the last failure exhausts it",
      held,
      { due_at: null },
      { state: "exhausted", attempts: 4, failures: 3, due_at: 900 },
    ],
    [
      "a resend that fails leaves it as it was",
      { ...held, resume_state: "exhausted", resume_due: 70 },
      { due_at: 5_000 },
      { state: "exhausted", attempts: 4, failures: 2, due_at: 70 },
    ],
    [
      "a resend that succeeds delivers it",
      { ...held, resume_state: "exhausted", resume_due: 70 },
      { delivered: true },
      { state: "delivered", due_at: 900 },
    ],
  ] as const)("%s", (_name, before, changes, after) => {
    const settled = settledDelivery(before, settlement(changes), 7_000);
    expect(settled).toMatchObject({ ...after, ...ended, updated_at: 7_000 });
  });

  test.each([
    ["what is delivered stays so", { ...held, state: "delivered" }, { delivered: true }],
    ["a failure of another lease counts for nothing", { ...held, lease_token: "other" }, {}],
    [
      "a failure after the lease was released counts for nothing",
      { ...held, lease_token: null },
      {},
    ],
    ["a failure of a skipped delivery counts for nothing", { ...held, state: "skipped" }, {}],
  ] as const)("%s", (_name, before, changes) => {
    expect(settledDelivery(before, settlement(changes), 7_000)).toBeNull();
  });

  test.each([
    [false, undefined, "lease_lost"],
    [true, undefined, "lease_lost"],
    [true, "delivered", "delivered"],
    [false, "pending", "rescheduled"],
    [false, "exhausted", "exhausted"],
    [false, "skipped", "exhausted"],
  ] as const)(
    "a settlement with delivered %j and the state %j is %s",
    (delivered, state, outcome) => {
      expect(settleOutcomeOf(settlement({ delivered }), state)).toBe(outcome);
    },
  );

  test("one that is skipped or restarted loses its lease and its resend", () => {
    const waits = delivery({ lease_token: "t", lost_leases: 2, due_at: 5 });
    expect(skipped(waits, 8)).toEqual({ ...waits, ...ended, state: "skipped", updated_at: 8 });
    for (const [before, state] of [
      ["delivered", "delivered"],
      ["exhausted", "exhausted"],
      ["skipped", "skipped"],
      ["pending", "skipped"],
    ] as const) {
      const resent = { ...waits, resume_state: before, resume_due: 3 };
      const after = { ...resent, ...ended, state, due_at: 3, updated_at: 8 };
      expect(skipped(resent, 8)).toEqual(after);
    }
    expect(restarted(8)).toEqual({
      ...ended,
      state: "pending",
      due_at: 8,
      failures: 0,
      updated_at: 8,
    });
  });
});

describe("a resend", () => {
  const exhausted = delivery({ state: "exhausted", due_at: 70, attempts: 7, failures: 7 });
  const subject = { delivery: exhausted, endpoint: { state: "enabled" }, body: "{}" } as const;

  test("queues one send now and remembers what it was", () => {
    const { result, queued } = decideResend(subject, now);
    expect(result).toMatchObject({
      outcome: "queued",
      delivery: { state: "pending", due_at: now },
    });
    expect(queued).toMatchObject({
      resume_state: "exhausted",
      resume_due: 70,
      failures: 7,
      updated_at: now,
      lease_token: null,
    });
  });

  test("of a resend keeps what the first one remembers", () => {
    const again = {
      ...exhausted,
      state: "pending",
      resume_state: "skipped",
      resume_due: 9,
    } as const;
    const { queued } = decideResend({ ...subject, delivery: again }, now);
    expect(queued).toMatchObject({ resume_state: "skipped", resume_due: 9 });
  });

  test.each([
    [now + 1, "in_flight"],
    [now, "queued"],
  ])("of a delivery whose lease ends at %d is %s", (due_at, outcome) => {
    const running = { ...exhausted, state: "pending", lease_token: "lease", due_at } as const;
    expect(decideResend({ ...subject, delivery: running }, now).result.outcome).toBe(outcome);
  });

  test.each([
    ["pending without a lease, due later", { state: "pending", lease_token: null }],
    ["final, with what is left of a lease", { state: "exhausted", lease_token: "lease" }],
  ] as const)("of a delivery that is %s is queued", (_words, changes) => {
    const waiting = { ...exhausted, ...changes, due_at: now + 1 };
    expect(decideResend({ ...subject, delivery: waiting }, now).result.outcome).toBe("queued");
  });

  test.each([
    ["endpoint_disabled", { endpoint: { state: "disabled" } }],
    ["endpoint_disabled", { endpoint: null }],
    ["event_pruned", { body: null }],
  ] as const)("is refused as %s", (outcome, change) => {
    expect(decideResend({ ...subject, ...change }, now)).toEqual({
      result: { outcome },
      queued: null,
    });
  });

  test("is refused as unknown without a delivery", () => {
    expect(decideResend(null, now)).toEqual({ result: { outcome: "unknown" }, queued: null });
  });
});

describe("the rotation of a secret", () => {
  const rotation = { sealed: "new", old_until: 1_000, max: 3, now: 500 };

  test("the old one stays valid until the given time", () => {
    expect(rotated([{ sealed: "old", expires_at: null }], rotation)).toEqual([
      { sealed: "new", expires_at: null },
      { sealed: "old", expires_at: 1_000 },
    ]);
  });

  test("one that ends earlier keeps its end, one that ends later does not", () => {
    const secrets = [
      { sealed: "b", expires_at: 900 },
      { sealed: "a", expires_at: 2_000 },
    ];
    expect(rotated(secrets, rotation).map(({ expires_at }) => expires_at)).toEqual([
      null,
      900,
      1_000,
    ]);
  });

  test.each([
    [501, 2],
    [500, 1],
    [499, 1],
  ])("with an old one that ends at %d there are %d", (old_until, count) => {
    const secrets = [{ sealed: "old", expires_at: null }];
    expect(rotated(secrets, { ...rotation, old_until })).toHaveLength(count);
  });

  test("above the most, the oldest are dropped", () => {
    const secrets = ["c", "b", "a"].map((sealed) => ({ sealed, expires_at: null }));
    expect(rotated(secrets, rotation).map(({ sealed }) => sealed)).toEqual(["new", "c", "b"]);
  });

  test("a rotation that is repeated changes nothing", () => {
    const secrets = [
      { sealed: "new", expires_at: null },
      { sealed: "old", expires_at: 1_000 },
    ];
    expect(rotated(secrets, rotation)).toBe(secrets);
  });
});

describe("a delivery that ends its workers", () => {
  test.each([
    [4, null],
    [5, "worker_lost"],
    [6, "worker_lost"],
  ])("with %d lost leases its attempt is %j", (lost_leases, error) => {
    expect(workerLost({ lost_leases })?.error ?? null).toBe(error);
  });

  test("it says nothing about its endpoint, and neither does what was not recorded", () => {
    const lost = settlement({ log: { ...settlement().log, error: "worker_lost" } });
    const judged = [settlement(), lost, settlement({ event_id: "evt_3" })];
    expect(settlementsOfHealth(judged, ["rescheduled", "rescheduled", "lease_lost"])).toEqual([
      judged[0],
    ]);
  });
});

test.each([
  [null, ["we_a", "we_b", "we_c"]],
  ["", ["we_a", "we_b", "we_c"]],
  ["we_a", ["we_b", "we_c", "we_a"]],
  ["we_b", ["we_c", "we_a", "we_b"]],
  ["we_c", ["we_a", "we_b", "we_c"]],
])("after the endpoint %s the others have their turn first", (from, order) => {
  const ids = ["we_c", "we_a", "we_b"];
  expect(ids.sort((one, other) => compareTurns(from, one, other))).toEqual(order);
});
