import { expect, test } from "vitest";
import { createDashboardShop, everything } from "../support/dashboard-shop.ts";

test("what is written in the dashboard is in the audit log under its actor", async () => {
  const { visitor, owner, a, product } = await createDashboardShop();
  const ana = visitor();
  const page = `/dashboard/${a.id}/test/products/${product.id}`;
  expect((await ana.submit(page, "save", { name: "Lamp" })).status).toBe(303);

  const { data } = await owner.audit.list({ store_id: a.id });
  expect(data).toMatchObject([
    {
      actor: "ana",
      action: "products.update",
      subject: { type: "product", id: product.id },
      before: { name: "Product A" },
      after: { name: "Lamp" },
    },
  ]);
});

test("the audit log names who made a link, who used it and who ended a session, and no secret of them", async () => {
  const { visitor, dashboard, owner, a } = await createDashboardShop();
  const ana = visitor();
  const page = `/dashboard/${a.id}/test/sessions`;
  const made = await ana.submit(page, "link", { actor: "bia@example.com", rights: "read" });
  const [, path = ""] =
    /https:\/\/api\.example\.com(\/dashboard\/link\/[^"?]+)/.exec(made.body ?? "") ?? [];

  const bia = visitor(null);
  const link = await bia.send(path);
  expect(link.status).toBe(200);
  const [, token = ""] = /name="token" value="([^"]+)"/.exec(link.body ?? "") ?? [];
  expect((await bia.send(path, { form: { token } })).status).toBe(303);
  expect((await ana.submit(page, "end")).status).toBe(303);

  const { data } = await owner.audit.list({ store_id: a.id });
  const told = data.map(({ actor, action, subject }) => [actor, action, subject]);
  expect(told).toHaveLength(3);
  expect(told).toContainEqual([
    "ana",
    "links.create",
    { type: "dashboard_link", id: "bia@example.com" },
  ]);
  expect(told).toContainEqual([
    "ana",
    "sessions.end",
    { type: "dashboard_session", id: "bia@example.com" },
  ]);
  expect(told).toContainEqual([
    "bia@example.com",
    "links.use",
    { type: "dashboard_session", id: "bia@example.com" },
  ]);
  expect(JSON.stringify(data)).not.toMatch(/[0-9a-f]{64}|hash/);

  const input = { store_id: a.id, actor: "caio", access: "read" } as const;
  await dashboard.links.create(input);
  await dashboard.links.create(input, { by: { ...everything, actor: "the host" } });
  const { data: links } = await owner.audit.list({ store_id: a.id, action: "links.create" });
  expect(links.map(({ actor }) => actor).sort()).toEqual(["ana", "the host"]);
});
