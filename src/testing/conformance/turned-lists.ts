import { auditAuthor } from "../../rules/audit/audit-entry.ts";
import { blocksOf } from "../../rules/request-log/request-log.ts";
import { signedStorage } from "../../startup/signed-storage.ts";
import { applyPayment } from "../../steps/checkout-steps.ts";
import { openDispute, reserveRefund } from "../../steps/order-steps.ts";
import { putRecord } from "../../steps/record-steps.ts";
import { updateStore } from "../../steps/store-steps.ts";
import { createEndpoint } from "../../steps/webhooks/endpoint-steps.ts";
import type { AgeOrder } from "../../storage/reads/listing-store.ts";
import type { DeliveryPlace } from "../../storage/webhook-store.ts";
import type { CaseContext, StorageCase } from "./fixtures/case.ts";
import { endpointRecord } from "./fixtures/delivery-fixtures.ts";
import { fixtures } from "./fixtures/fixtures.ts";
import { everySecond, readByTwos } from "./fixtures/list-fixtures.ts";
import { paymentFixtures } from "./fixtures/payment-fixtures.ts";
import { partition } from "./fixtures/record-fixtures.ts";
import { refundFixtures } from "./fixtures/refund-fixtures.ts";

const { store_id } = partition;

/** Makes a sale with one row of every list, its second session at the same time as the first. */
function sales(context: CaseContext) {
  const { storage, clock, newId } = context;
  const { openSession, session, orderIds } = fixtures(context);
  const { start, result } = paymentFixtures(context);
  const { refund } = refundFixtures(context);
  const recurring = { interval: "month", interval_count: 1 } as const;
  const lines = session().lines.map((line) => ({ ...line, recurring }));

  return async (index: number): Promise<void> => {
    const now = clock.now();
    const discounted = { lines, coupon_id: "CODE", coupon_code: "CODE" };
    const [attempt] = [
      await start(await openSession(discounted)),
      await start(await openSession()),
    ];
    const paid = await applyPayment(storage.orders, result(attempt, "succeeded"));
    if (paid.outcome !== "paid") throw new Error(`Not paid: ${paid.outcome}.`);

    const { order } = paid;
    await reserveRefund(storage.orders, refund(order, { reference: `r_${index}`, amount: 1 }));
    const dispute = { id: `dp_${index}`, amount: null, reason: null, due_by: null };
    const told = { ...partition, order_id: order.id, money: null, ids: orderIds(), now };
    await openDispute(storage.orders, { ...told, dispute, inquiry: false });
    const alert = { type: "t", subject: `s_${index}`, data: {}, created_at: now };
    await storage.access.raiseAlert({ ...partition, ...alert, id: newId("alr") }, 0);

    const call = {
      id: newId("aud"),
      actor: "ana",
      action: "stores.update",
      about: "order",
    } as const;
    const signed = signedStorage(storage, auditAuthor({ ...call, now }));
    await updateStore(signed.records, store_id, { name: `N${index}` });
    const entry = { id: newId("req"), created_at: now, key_id: "k", status: 200, duration_ms: 1 };
    for (const block of blocksOf([{ ...partition, entry }], 3_600_000))
      await storage.requests.append(block);
  };
}

interface Page<Place> extends AgeOrder {
  readonly after?: Place;
  readonly limit: number;
}

/**
 * Reads a list both ways, and begins a third time. Gives the end of that, for when rows have come.
 */
async function begin<Row, Place>(
  { assert }: CaseContext,
  read: (page: Page<Place>) => Promise<readonly Row[]>,
  placeOf: (row: Row) => Place,
): Promise<() => Promise<void>> {
  const newest = await readByTwos(read, placeOf);
  const turned = { limit: 2, oldest_first: true } as const;
  const oldest = await readByTwos((page) => read({ ...turned, ...page }), placeOf);
  assert.ok(newest.length > 2, String(read));
  assert.deepEqual(oldest, [...newest].reverse(), String(read));
  const first = await read(turned);

  return async () => {
    const [last] = first.slice(-1);
    const rest = last ? await read({ ...turned, after: placeOf(last), limit: 100 }) : [];
    const places = [...first, ...rest].map(placeOf);
    assert.deepEqual(places.slice(0, newest.length), oldest.map(placeOf), String(read));
    assert.ok(places.length > newest.length, String(read));
    assert.deepEqual(places, (await read({ limit: 100 })).map(placeOf).reverse(), String(read));
  };
}

interface Timed {
  readonly created_at: number;
  readonly id: string;
}

const idOf = ({ id }: { readonly id: string }): string => id;
const timeOf = ({ created_at, id }: Timed): Timed => ({ created_at, id });

type Begun = readonly Promise<() => Promise<void>>[];

/** Begins with the lists of what was sold, each whole and by a filter. */
function soldLists(context: CaseContext): Begun {
  const { storage, clock } = context;
  const { lists, orders, backOffice } = storage;
  const now = clock.now();
  const ofMode = [partition, { ...partition, created_from: 1 }];

  return [
    ...[{}, { state: "succeeded" } as const, { created_from: 1 }].map((where) =>
      begin(
        context,
        (page: Page<Timed>) => lists.listAttempts({ ...partition, ...where, ...page }),
        ({ attempt }) => timeOf(attempt),
      ),
    ),
    ...[{}, { status: "open" } as const].map((where) =>
      begin(
        context,
        (page: Page<Timed & { readonly order_id: string }>) =>
          lists.listDisputes({ ...partition, ...where, ...page }),
        ({ dispute }) => ({ ...timeOf(dispute), order_id: dispute.order_id }),
      ),
    ),
    ...[{}, { status: "complete" } as const].map((where) =>
      begin(
        context,
        (page: Page<string>) => lists.listSessions({ ...partition, ...where, now, ...page }),
        ({ session }) => session.id,
      ),
    ),
    ...[{}, { state: "pending" } as const].map((where) =>
      begin(
        context,
        async (page: Page<string>) =>
          (await orders.listRefunds({ ...partition, ...where, ...page })).slice(0, page.limit),
        idOf,
      ),
    ),
    ...[{}, { status: "active" } as const].map((where) =>
      begin(
        context,
        async (page: Page<string>) =>
          (await orders.listSubscriptions({ ...partition, ...where, ...page })).slice(
            0,
            page.limit,
          ),
        idOf,
      ),
    ),
    begin(
      context,
      (page: Page<number>) => lists.listCouponUses({ ...partition, coupon_id: "CODE", ...page }),
      ({ number }) => number,
    ),
    ...ofMode.map((where) =>
      begin(
        context,
        async (page: Page<string>) => {
          const found = await backOffice.searchOrders({ ...where, ...page });
          return found.outcome === "listed" ? found.orders.slice(0, page.limit) : [];
        },
        idOf,
      ),
    ),
  ];
}

/** Begins with the lists of what was told and noted, each whole and by a filter. */
function toldLists(context: CaseContext): Begun {
  const { storage, clock } = context;
  const { lists, webhooks, access, audit, requests } = storage;
  const now = clock.now();

  return [
    ...[{}, { type: "order.paid" } as const].map((where) =>
      begin(
        context,
        (page: Page<{ readonly created_at: number; readonly sequence: number }>) =>
          lists.listEvents({ ...partition, ...where, ...page }),
        ({ created_at, sequence }) => ({ created_at, sequence }),
      ),
    ),
    ...[{}, { actor: "ana" }, { created_from: 1 }].map((where) =>
      begin(context, (page: Page<Timed>) => audit.list({ store_id, ...where, ...page }), timeOf),
    ),
    ...[{}, { state: "pending" } as const, { endpoint_id: "we_all" }].map((where) =>
      begin(
        context,
        ({ after, ...page }: Page<DeliveryPlace>) => {
          const query = { ...partition, ...where, ...page };
          return webhooks.listDeliveries(after ? { ...query, before: after } : query);
        },
        ({ created_at, event_id, endpoint_id }) => ({ created_at, event_id, endpoint_id }),
      ),
    ),
    ...[{}, { acknowledged: false }].map((where) =>
      begin(
        context,
        ({ after = null, ...page }: Page<string | null>) =>
          access.listAlerts(store_id, { ...where, ...page, before: after }),
        idOf,
      ),
    ),
    begin(
      context,
      ({ after = null, ...page }: Page<number | null>) =>
        requests.listBlocks({ ...partition, ...page, before: after, now }),
      ({ number }) => number,
    ),
  ];
}

/** Checks the lists that are read from either end. */
export const turnedListCases: readonly StorageCase[] = [
  {
    name: "every list that begins with its newest row can begin with its oldest, whatever comes",
    async run(context) {
      const { storage } = context;
      const { shop, coupon } = fixtures(context);
      await shop();
      await putRecord(storage.records, "coupon", coupon("CODE"));
      await createEndpoint(storage.records, endpointRecord("we_all"), 50);
      const sale = sales(context);
      await everySecond(context, 3, sale);

      const ends = await Promise.all([...soldLists(context), ...toldLists(context)]);
      await everySecond(context, 1, () => sale(3));
      for (const end of ends) await end();
    },
  },
  {
    name: "customers are listed by id and coupons by id or code, from either end",
    async run(context) {
      const { storage, assert } = context;
      const { shop, coupon } = fixtures(context);
      await shop();
      await putRecord(storage.records, "coupon", coupon("CODE"));
      await everySecond(context, 3, sales(context));
      const codes = { cpn_1: "B", cpn_2: "Ç", cpn_3: "A", cpn_4: "\u{1f600}", cpn_5: "\ue000" };
      for (const [id, code] of Object.entries(codes))
        await putRecord(storage.records, "coupon", coupon(id, { code }));

      const customers = (way: { readonly descending?: true }) =>
        readByTwos(
          ({ after = null, limit }: Page<string | null>) =>
            storage.backOffice.listCustomers(partition, { ...way, after, limit }),
          ({ id }) => id,
        );
      const up = await customers({});
      assert.ok(up.length > 2);
      assert.deepEqual(await customers({ descending: true }), [...up].reverse());

      const ids = async (way: { readonly by?: "code"; readonly descending?: true }) => {
        const coupons = await readByTwos(
          ({ after = null, limit }: Page<string | null>) =>
            storage.catalog.listCoupons(store_id, { ...way, after, limit }),
          (row) => row[way.by ?? "id"],
        );
        return coupons.map(({ id }) => id.slice(-1)).join("");
      };
      assert.equal(await ids({}), "E12345");
      assert.equal(await ids({ descending: true }), "54321E");
      assert.equal(await ids({ by: "code" }), "31E254");
      assert.equal(await ids({ by: "code", descending: true }), "452E13");
    },
  },
];
