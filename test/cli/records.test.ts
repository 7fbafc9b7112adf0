import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { newProject } from "./project.ts";
import { openShop } from "./served-shop.ts";

describe.each(["sqlite", "postgres"] as const)("records on %s", (kind) => {
  test("a product is named by its slug too and a coupon by its code, and lists show both", async () => {
    const { project, env } = await openShop(kind);
    const json = (words: string) => project.json(words, { env });
    const tea = await json(
      "products create name=Tea price:=900 currency=BRL stock:=7 slug=green-tea",
    );
    expect((await json("products show green-tea")).id).toBe(tea.id);
    expect(await json("products update green-tea price:=950")).toMatchObject({
      id: tea.id,
      price: 950,
    });
    expect((await json(`products show ${tea.id}`)).price).toBe(950);
    const list = await project.run("products list", { env });
    expect(list.out).toMatch(/^id +slug +name +price +stock +active\n/);
    expect(list.out).toMatch(new RegExp(`${tea.id} +green-tea +Tea +950 BRL +7 +true`));
    await json("products delete green-tea");
    for (const name of ["green-tea", tea.id, "none"]) {
      const { code, err } = await project.run(`products show ${name}`, { env });
      expect([name, code, err]).toEqual([name, 1, expect.stringContaining("no such resource")]);
    }

    const rest = "discount_type=percentage discount_amount:=10";
    const ids: Record<string, string> = {};
    for (const code of ["T", "TE", "TEN", "TENT"])
      ids[code] = (await json(`coupons create code=${code} ${rest}`)).id;
    for (const code of ["T", "TEN", "ten"])
      expect((await json(`coupons show ${code}`)).id).toBe(ids[code.toUpperCase()]);
    expect((await json(`coupons show ${ids["TE"]}`)).code).toBe("TE");
    expect((await project.run("coupons show TWO", { env })).code).toBe(1);
    const changed = await json("coupons update TENT enabled:=false");
    expect([changed.id, changed.enabled]).toEqual([ids["TENT"], false]);

    const stores = await project.run("stores list", { env });
    const [{ slug }] = (await json("stores list")).data;
    expect(stores.out).toMatch(new RegExp(`^id +slug +name .*\n\\S+ +${slug} +`));
    expect((await json(`stores show --store ${slug}`)).slug).toBe(slug);
  }, 240_000);
});

test("an update without fields is refused, and a key that is revoked is said to be", async () => {
  const { project, seeded } = await openShop("sqlite");
  const before = await project.json(`products show ${seeded.product_id}`);
  for (const words of [`products update ${seeded.product_id}`, "stores update"]) {
    const { code, err } = await project.run(words);
    expect([words, code, err]).toEqual([words, 2, expect.stringContaining("Say what to change")]);
  }
  expect(await project.json(`products show ${seeded.product_id}`)).toEqual(before);
  const { id } = await project.json("keys create kind=secret");
  expect((await project.run(`keys revoke ${id}`)).out).toBe(`${id} is revoked.\n`);
}, 120_000);

test("a host that init writes says so and ends where its port is taken", async () => {
  const taken = createServer().listen(0);
  onTestFinished(() => void taken.close());
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  for (const host of ["express", "fastify", "node"]) {
    const project = await newProject();
    await project.run(`init --host ${host} --database sqlite --no-install --port ${port}`);
    const { code, out, err } = await project.node("server.mjs").ended;
    expect([host, code, out]).toEqual([host, 1, ""]);
    expect(err).toContain("EADDRINUSE");
  }
}, 120_000);

test("init leaves a package where package.json has it already", async () => {
  const project = await newProject();
  const own = { type: "module", dependencies: { "better-sqlite3": "^12.11.1", kysely: "^0.29.0" } };
  project.write("package.json", JSON.stringify(own));
  await project.run("init --host express --database sqlite --no-install");
  const manifest = JSON.parse(readFileSync(join(project.folder, "package.json"), "utf8"));
  expect(manifest.dependencies).toMatchObject(own.dependencies);
  expect(manifest.optionalDependencies).toEqual({});
}, 60_000);

test("init says to create the database of PostgreSQL", async () => {
  const project = await newProject();
  const { out } = await project.run("init --host node --database postgres --no-install");
  expect(out).toContain("DATABASE_URL in .env");
  expect(out).toContain("$ createdb shop");
}, 60_000);
