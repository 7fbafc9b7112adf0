import { expect, test } from "vitest";
import { endBanksAfterEach, gatewayOf } from "../setup.ts";
import { cancelAtBank, isWaiting } from "./books.ts";
import { hosted, payer } from "./hosted.ts";
import { day } from "./subscriber.ts";

endBanksAfterEach();

/** A shop whose host has several processes, each with a gateway of its own. */
async function processes(count: number) {
  const shop = await hosted();
  const options = { now: shop.now, automatic: {} };
  const gateways = Array.from({ length: count }, () => gatewayOf(shop.bank, options));
  const asked = () =>
    [...shop.bank.books().recurrences.values()].flatMap(({ solicitacao = [] }) => solicitacao);
  return {
    ...shop,
    /** Every request that the payer was ever sent. */
    asked,
    open: () => asked().filter(isWaiting),
    /** All of them ask at once. */
    async requestAtOnce(amounts: readonly number[] = []) {
      const { store_id } = shop.where;
      const found = await shop.find();
      const ask = gateways.map((one, index) => {
        const subscription = { ...found, amount: amounts[index] ?? found.amount };
        return one.requestRecurrence({ store_id, subscription, payer });
      });
      return (await Promise.all(ask)).map(({ reference }) => reference);
    },
  };
}

const left = (shop: Awaited<ReturnType<typeof hosted>>) =>
  [...shop.bank.books().recurrences.values()].filter(({ status }) => status === "CRIADA");

test("calls of several processes at once ask the payer once, for one request", async () => {
  const shop = await processes(4);
  let ticks = 0;
  const start = shop.now();
  shop.keepTime(() => start + ticks++);
  const references = await shop.requestAtOnce();
  expect(new Set(references).size).toBe(1);
  expect(shop.asked().map(({ idRec }) => idRec)).toEqual(references.slice(0, 1));
  expect(left(shop).map(({ idRec }) => idRec)).toEqual(references.slice(0, 1));
});

test("at a bank whose clock is too coarse to order them, one request is left open", async () => {
  const shop = await processes(2);
  for (let round = 0; round < 6; round += 1) {
    await shop.requestAtOnce();
    const [one, ...others] = shop.open();
    expect(others).toEqual([]);
    await shop.answer(one?.idRec ?? "", "REJEITADA");
    expect(left(shop)).toEqual([]);
  }
});

test("calls at two prices at once leave one request open, of one of the prices", async () => {
  const shop = await processes(2);
  let ticks = 0;
  const start = shop.now();
  shop.keepTime(() => start + ticks++);
  for (let round = 0; round < 6; round += 1) {
    const references = await shop.requestAtOnce([2000, 1500]);
    const [one, ...others] = shop.open();
    expect(others).toEqual([]);
    expect(references).toContain(one?.idRec);
    expect(left(shop).map(({ idRec }) => idRec)).toEqual([one?.idRec]);
    await shop.answer(one?.idRec ?? "", "REJEITADA");
  }
});

test("calls at two prices that a coarse clock cannot order leave one request open", async () => {
  const shop = await processes(2);
  // The answers come late and in changing orders, so that the calls overlap in each way.
  const delaysOf = (round: number) =>
    Array.from({ length: 12 }, (_, index) => ((round * 7 + index * index * 5) % 11) * 6);
  for (let round = 0; round < 10; round += 1) {
    const delays = [...delaysOf(round)];
    shop.bank.wire.choose = () => ({ delay_ms: delays.shift() ?? 0 });
    await shop.requestAtOnce([2000, 1500]);
    shop.bank.wire.choose = () => null;
    const open = shop.open();
    expect([round, open.length]).toEqual([round, 1]);
    expect(left(shop).map(({ idRec }) => idRec)).toEqual(open.map(({ idRec }) => idRec));
    await shop.answer(open[0]?.idRec ?? "", "REJEITADA");
  }
});

test("a request that is withdrawn while it is made is made again, with one list between", async () => {
  const shop = await processes(1);
  let isWithdrawn = false;
  shop.bank.wire.choose = ({ method, path }) => {
    if (!isWithdrawn && method === "POST" && path.endsWith("/solicrec")) {
      isWithdrawn = true;
      for (const recurrence of left(shop)) cancelAtBank(shop.bank.books(), recurrence);
    }
    return null;
  };
  const before = shop.bank.calls.length;
  const { status } = await shop.request();
  expect([isWithdrawn, status]).toEqual([true, "created"]);
  expect(left(shop)).toHaveLength(1);
  const lists = shop.bank.calls.slice(before).filter((call) => call === "GET /rec");
  expect(lists).toHaveLength(5);
});

test("a request at a new price takes back the one of the price before", async () => {
  const shop = await processes(1);
  const { reference } = await shop.request();
  const price = { ...shop.where, unit_amount: 1500 };
  await shop.storefront.subscriptions.changePrice(shop.id, price);
  const next = await shop.request();
  expect(shop.open().map(({ idRec }) => idRec)).toEqual([next.reference]);
  expect(shop.recurrenceOf(reference).status).toBe("CANCELADA");

  await shop.answer(next.reference, "ACEITA");
  await shop.goTo("2026-02-01T15:00:00Z", day / 4);
  expect(await shop.books()).toEqual([5000, 5000]);
});

test("a request at a new price leaves what pays now until the payer accepts", async () => {
  const shop = await processes(1);
  const { reference } = await shop.request();
  await shop.answer(reference, "ACEITA");
  const price = { ...shop.where, unit_amount: 1500 };
  await shop.storefront.subscriptions.changePrice(shop.id, price);
  const next = await shop.request();
  expect(shop.recurrenceOf(reference).status).toBe("APROVADA");

  await shop.answer(next.reference, "ACEITA");
  await shop.goTo("2026-02-01T15:00:00Z", day / 4);
  expect(shop.recurrenceOf(reference).status).toBe("CANCELADA");
  expect(await shop.books()).toEqual([5000, 5000]);
});

test("requests that were made at once before, by an older version, become one", async () => {
  const shop = await processes(1);
  const { reference } = await shop.request();
  const books = shop.bank.books();
  const twin = structuredClone(shop.recurrenceOf(reference));
  const idRec = `${reference.slice(0, 18)}zzzzzzzzzzz`;
  const solicitacao = (twin.solicitacao ?? []).map((one) => ({ ...one, idRec }));
  books.recurrences.set(idRec, { ...twin, idRec, solicitacao });
  expect(shop.open()).toHaveLength(2);
  expect((await shop.request()).reference).toBe(reference);
  expect(shop.open().map((one) => one.idRec)).toEqual([reference]);
});

test("of a payer with more recurrences than a page of the bank's list is asked once", async () => {
  const shop = await processes(1);
  const { reference } = await shop.request();
  const { recurrences } = shop.bank.books();
  const own = shop.recurrenceOf(reference);
  recurrences.delete(reference);
  for (let index = 0; index < 250; index += 1) {
    const idRec = `${reference.slice(0, 18)}${String(index).padStart(11, "0")}`;
    const vinculo = { ...own.vinculo, contrato: `sub_${index}` };
    recurrences.set(idRec, { ...structuredClone(own), idRec, vinculo, solicitacao: [] });
  }
  recurrences.set(reference, own);
  expect((await shop.request()).reference).toBe(reference);
  expect(recurrences.size).toBe(251);
});

test("at a bank whose list is behind what was made, the payer is asked once", async () => {
  const shop = await processes(1);
  const { recurrences } = shop.bank.books();
  const { values } = recurrences;
  // A list is behind; the recurrence itself is shown.
  recurrences.values = () => new Map().values();
  const { reference, status } = await shop.request();
  recurrences.values = values;
  expect(status).toBe("created");
  expect(shop.open().map(({ idRec }) => idRec)).toEqual([reference]);
});
