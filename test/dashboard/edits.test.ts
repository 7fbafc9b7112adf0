import { expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { fillStore } from "../support/dashboard-records.ts";
import {
  createDashboardShop,
  type DashboardShop,
  everything,
  filledIn,
  formOf,
} from "../support/dashboard-shop.ts";
import { storages } from "../support/storages.ts";

const shop = await createDashboardShop();
const { owner, a } = shop;
const rows = await fillStore(shop, (kind) => kind);
const addressOf = (path: string): string => `/dashboard/${a.id}/test/${path}`;

interface Edit {
  /** Changes a text of the record, as another person does. */
  readonly change: (text: string) => Promise<unknown>;
  readonly read: () => Promise<string | null>;
  /** The field of that text. */
  readonly field: string;
  /** Another field, with what is typed into it. */
  readonly other: Readonly<Record<string, string>>;
}

/** The records that are edited by a form, by the path of their screen. */
function editsOf(
  { owner, a }: DashboardShop,
  rows: Awaited<ReturnType<typeof fillStore>>,
): Readonly<Record<string, Edit>> {
  const partition = { store_id: a.id, livemode: false };
  return {
    [`products/${rows.product.id}`]: {
      change: (name: string) => owner.products.update(a.id, rows.product.id, { name }),
      read: async () => (await owner.products.retrieve(a.id, rows.product.id)).name,
      field: "name",
      other: { position: "9" },
    },
    [`categories/${rows.category.id}`]: {
      change: (name: string) => owner.categories.update(a.id, rows.category.id, { name }),
      read: async () => (await owner.categories.retrieve(a.id, rows.category.id)).name,
      field: "name",
      other: { position: "9" },
    },
    [`coupons/${rows.coupon.id}`]: {
      change: (code: string) => owner.coupons.update(a.id, rows.coupon.id, { code }),
      read: async () => (await owner.coupons.retrieve(a.id, rows.coupon.id)).code,
      field: "code",
      other: { max_uses: "9" },
    },
    [`payment-methods/${rows.method.id}`]: {
      change: (name: string) => owner.paymentMethods.update(a.id, rows.method.id, { name }),
      read: async () => (await owner.paymentMethods.retrieve(a.id, rows.method.id)).name,
      field: "name",
      other: { position: "9" },
    },
    [`webhooks/${rows.endpoint.id}`]: {
      change: (description: string) =>
        owner.endpoints.update(partition, rows.endpoint.id, { description }),
      read: async () => (await owner.endpoints.retrieve(partition, rows.endpoint.id)).description,
      field: "description",
      other: { url: "https://hooks.example.com/new" },
    },
    settings: {
      change: (description: string) => owner.stores.update(a.id, { description }),
      read: async () => (await owner.stores.retrieve(a.id)).description,
      field: "description",
      other: { support_email: "help@example.com" },
    },
  };
}

test.each(Object.entries(editsOf(shop, rows)))(
  "a save does not undo what someone else has saved meanwhile (%s)",
  async (path, { change, read, field, other }) => {
    const visitor = shop.visitor();
    const opened = formOf(await visitor.send(addressOf(path)), "save");
    await change("THEIRS");

    const sent = await visitor.send(addressOf(path), { form: filledIn(opened, other) });
    expect(sent.status).toBe(409);
    expect(await read()).toBe("THEIRS");

    // The page shows both changes, and the next save stores them.
    const shown = formOf(sent, "save");
    expect(shown.get(field)).toBe("THEIRS");
    const [name = "", value] = Object.entries(other)[0] ?? [];
    expect(shown.get(name)).toBe(value);
    expect((await visitor.send(addressOf(path), { form: shown })).status).toBe(303);
    expect(await read()).toBe("THEIRS");
    expect(formOf(await visitor.send(addressOf(path)), "save").get(name)).toBe(value);
  },
);

test("where two people have changed the same field, the second one decides", async () => {
  const path = addressOf(`products/${rows.product.id}`);
  const visitor = shop.visitor();
  const opened = formOf(await visitor.send(path), "save");
  await owner.products.update(a.id, rows.product.id, { name: "Theirs" });

  const sent = await visitor.send(path, { form: filledIn(opened, { name: "Mine", price: "x" }) });
  expect(sent.status).toBe(409);
  expect(sent.body).toContain("Someone else has changed it to: Theirs");
  const shown = formOf(sent, "save");
  expect(shown.get("name")).toBe("Mine");
  expect(shown.get("price")).toBe("x");

  // A fault of another field keeps the decision.
  const faulty = await visitor.send(path, { form: shown });
  expect(faulty.status).toBe(422);
  const mended = filledIn(formOf(faulty, "save"), { price: "10" });
  expect((await visitor.send(path, { form: mended })).status).toBe(303);
  expect((await owner.products.retrieve(a.id, rows.product.id)).name).toBe("Mine");
});

test.each(storages)(
  "of two saves of one record at the same time one is stored, on %s",
  async (_name, openStorage) => {
    const busy = await createDashboardShop({ storage: await openStorage() });
    const stored = await fillStore(busy, (kind) => kind);

    for (const [path, { read, field, other }] of Object.entries(editsOf(busy, stored))) {
      const address = `/dashboard/${busy.a.id}/test/${path}`;
      const save = async (text: string) => {
        const visitor = busy.visitor();
        const form = formOf(await visitor.send(address), "save");
        return () => visitor.send(address, { form: filledIn(form, { ...other, [field]: text }) });
      };
      const saves = [await save("ONE"), await save("TWO")];
      const sent = await Promise.all(saves.map((send) => send()));

      expect([path, ...sent.map(({ status }) => status).sort()]).toEqual([path, 303, 409]);
      const winner = sent.findIndex(({ status }) => status === 303);
      expect(await read()).toBe(["ONE", "TWO"][winner]);
      expect(sent[1 - winner]?.body).toContain(`Someone else has changed it to: ${await read()}`);
    }
  },
);

test.each(storages)(
  "what was typed into the form of a record that is gone is given back, on %s",
  async (_name, openStorage) => {
    const busy = await createDashboardShop({ storage: await openStorage() });
    const stored = await fillStore(busy, (kind) => kind);
    const { owner, a } = busy;
    const { product, category, coupon, method, endpoint } = stored;
    const partition = { store_id: a.id, livemode: false };
    const removals: Readonly<Record<string, () => Promise<unknown>>> = {
      [`coupons/${coupon.id}`]: () => owner.coupons.delete(a.id, coupon.id),
      [`products/${product.id}`]: () => owner.products.delete(a.id, product.id),
      [`categories/${category.id}`]: () => owner.categories.delete(a.id, category.id),
      [`payment-methods/${method.id}`]: () => owner.paymentMethods.delete(a.id, method.id),
      [`webhooks/${endpoint.id}`]: () => owner.endpoints.delete(partition, endpoint.id),
    };
    const edits = editsOf(busy, stored);

    for (const [path, remove] of Object.entries(removals)) {
      const address = `/dashboard/${a.id}/test/${path}`;
      const visitor = busy.visitor();
      const opened = formOf(await visitor.send(address), "save");
      await remove();

      const typed = filledIn(opened, { [edits[path]?.field ?? ""]: 'Long & "typed" text' });
      const sent = await visitor.send(address, { form: typed });
      expect([path, sent.status]).toEqual([path, 404]);
      expect(sent.body).toContain("Someone else has deleted it");
      expect(sent.body).toContain("Long &amp; &quot;typed&quot; text");
      expect(sent.body).not.toContain(opened.get("token"));
    }
  },
);

test("what was typed is given back when the session has ended, or the right", async () => {
  const path = addressOf(`categories/${rows.category.id}`);
  const visitor = shop.visitor();
  const opened = formOf(await visitor.send(path), "save");
  const form = filledIn(opened, { name: "<b>Typed</b>", description: "one\ntwo" });

  const nobody = await shop.visitor(null).send(path, { form });
  expect(nobody.status).toBe(401);
  const reader = await shop.visitor({ ...everything, access: "read" }).send(path, { form });
  expect(reader.status).toBe(403);
  for (const { body } of [nobody, reader]) {
    expect(body).toContain("&lt;b&gt;Typed&lt;/b&gt;");
    expect(body).not.toContain("<b>Typed");
  }

  // Another site's form is answered without what it sent.
  const headers = { "sec-fetch-site": "cross-site" };
  const foreign = await shop.visitor(null).send(path, { form, headers });
  expect(foreign.status).toBe(403);
  expect(foreign.body).not.toContain("Typed");
});

test("what was typed is given back when the storage fails", async () => {
  const inner = memoryStorage();
  const down = { takeForm: () => Promise.reject(new Error("gone away")) };
  let isDown = false;
  const dashboard = new Proxy(inner.dashboard, {
    get: (target, name) => Reflect.get(isDown && name in down ? down : target, name),
  });
  const storage = new Proxy(inner, {
    get: (target, name) => (name === "dashboard" ? dashboard : Reflect.get(target, name)),
  });
  const broken = await createDashboardShop({ storage });
  const { category } = await fillStore(broken, (kind) => kind);
  const path = `/dashboard/${broken.a.id}/test/categories/${category.id}`;
  const visitor = broken.visitor();
  const opened = formOf(await visitor.send(path), "save");
  isDown = true;

  const sent = await visitor.send(path, { form: filledIn(opened, { name: "Typed name" }) });
  expect(sent.status).toBe(500);
  expect(sent.body).toContain("Typed name");
});
