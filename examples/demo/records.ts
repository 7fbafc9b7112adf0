import { createPeople, type HistoryPlace, openSession } from "./history.ts";

const dayMs = 86_400_000;

const plan = {
  name: "Coffee of the month",
  slug: "coffee-of-the-month",
  description: "500 g of another coffee each month, ground as you like it.",
  price: 6_900,
  currency: "BRL",
  recurring: { interval: "month", interval_count: 1 },
} as const;

const consent = "Armazém Vitrine may charge this card every month until I cancel.";

/** Writes what the dashboard shows of subscriptions and disputes, a few of each. */
export async function writeRecords(place: HistoryPlace): Promise<void> {
  await writeSubscriptions(place);
  await writeDisputes(place);
}

/** Six buyers subscribed in the last weeks: one has canceled, and one is about to leave. */
async function writeSubscriptions(place: HistoryPlace): Promise<void> {
  const { shop, at, store_id, origin } = place;
  const { owner } = shop;
  const methods = await owner.paymentMethods.list(store_id);
  const card = methods.find(({ type, gateway }) => type === "card" && gateway === "sandbox");
  if (!card) return;

  await owner.paymentMethods.update(store_id, card.id, { supports_recurring: true });
  const images = [`${origin}/images/decaf-montanha.svg`];
  const product = await owner.products.create(store_id, { ...plan, images });
  const where = { store_id, livemode: false };
  for (const [index, person] of createPeople().slice(0, 6).entries()) {
    const time = Date.now() - (27 - 4 * index) * dayMs;
    const items = [{ product_id: product.id, quantity: 1 }];
    const wanted = { person, items, coupon: null };
    const url = await at(time, () => openSession(place, wanted, `subscription-${index}`));
    const token = url.split("/").at(-1) ?? "";
    await at(time, () =>
      shop.checkout.submit(token, {
        payment_method_id: card.id,
        customer: { name: person.name, tax_id: person.tax_id },
        input: { outcome: "succeed" },
        consent,
      }),
    );
  }
  const { data } = await shop.subscriptions.list({ ...where, limit: 2 });
  for (const [index, { id }] of data.entries())
    await shop.subscriptions.cancel(id, { ...where, at_period_end: index === 0 });
}

/** Three buyers went to their bank: one asks still, one has won, one has lost. */
async function writeDisputes({ shop, at, store_id }: HistoryPlace): Promise<void> {
  const where = { store_id, livemode: false };
  const paid = await shop.owner.orders.list({ ...where, status: "paid", limit: 30 });
  const disputed = paid.data.filter(({ amount_total }) => amount_total > 3_000).slice(-3);
  const outcomes = [null, "won", "lost"] as const;
  for (const [index, { id }] of disputed.entries()) {
    const reference = `dispute-${index + 1}`;
    const begun = Date.now() - (index + 2) * dayMs;
    const due_by = new Date(begun + 10 * dayMs).toISOString();
    const reason = index === 0 ? "product_not_received" : "fraudulent";
    await at(begun, () => shop.orders.openDispute(id, { ...where, reference, reason, due_by }));
    const outcome = outcomes[index] ?? null;
    if (outcome !== null)
      await at(begun + dayMs, () => shop.orders.closeDispute(id, { ...where, reference, outcome }));
  }
}
