import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { newProject, type Project, sqliteHost } from "./project.ts";

async function openProject(): Promise<Project> {
  const project = await newProject();
  project.write("vitrine.config.mjs", sqliteHost);
  return project;
}

const literal = `hk_test_sec_${"a".repeat(32)}`;

describe("the frame", () => {
  test("a wrong command, option or choice ends with 2, and help names the command", async () => {
    const project = await newProject();
    for (const words of ["nothing", "sql mysql", "sql sqlite --wrong", "listen"])
      expect([words, (await project.run(words)).code]).toEqual([words, 2]);

    const help = await project.run("sql --help");
    expect(help.code).toBe(0);
    expect(help.out).toContain("$ vitrine sql postgres --schema shop");
  });

  test("a key as an argument is refused, and neither written nor used", async () => {
    const project = await openProject();
    for (const words of [
      ["migrate", literal],
      ["listen", `--key-file=${literal}`],
    ]) {
      const { code, out, err } = await project.run(words);
      expect(code).toBe(3);
      expect(err).toContain("revoke it");
      expect(out + err).not.toContain(literal);
    }
    expect(existsSync(join(project.folder, "shop.sqlite"))).toBe(false);
  });

  test("a command without its host or API says how to name it", async () => {
    const project = await newProject();
    const { code, err } = await project.run("migrate");
    expect([code, err]).toEqual([2, expect.stringContaining("vitrine.config.mjs")]);
    const config = await project.run("migrate --config other.mjs");
    expect([config.code, config.err]).toEqual([2, expect.stringContaining("does not exist")]);
  });

  test("live mode is changed after --yes alone, and a dry run asks nothing", async () => {
    const project = await openProject();
    expect((await project.run("migrate --dry-run")).code).toBe(0);
    expect((await project.run("migrate")).code).toBe(3);
    const done = await project.json("migrate --yes");
    expect([done.before?.found ?? 0, done.schema.found]).toEqual([0, done.schema.known]);
  });

  test("without a terminal nothing is coloured, with NO_COLOR nothing on one either", async () => {
    const project = await openProject();
    const { out, err } = await project.run("migrate --yes");
    expect(out + err).not.toContain("\x1b[");
    expect(err).toContain("All stores · live and test mode");
  });
});

describe("the owner's records", () => {
  test("are created, listed, shown and deleted, and a key is written into a file of 0600", async () => {
    const project = await openProject();
    await project.run("migrate --yes");
    const seeded = await project.json("seed --name Loja");
    expect(seeded.publishable_key).toMatch(/^hk_test_pub_/);

    const fields = ["name=Tea", "price:=900", "currency=BRL"];
    const created = await project.run(["products", "create", ...fields, "--json"]);
    const tea = JSON.parse(created.out);
    expect(created.err).toBe(`Loja (${seeded.store_id}) · test mode\n`);
    expect((await project.json(`products show ${tea.id}`)).price).toBe(900);
    expect((await project.json(`products update ${tea.id} price:=950`)).price).toBe(950);
    const piped = await project.run("products create --from - --json", {
      stdin: JSON.stringify({ name: "Cup", price: 100, currency: "BRL" }),
    });
    expect(JSON.parse(piped.out).name).toBe("Cup");
    expect((await project.run(`products delete ${tea.id}`)).code).toBe(0);
    expect((await project.json("products list")).data).toHaveLength(4);

    const wrong = await project.run("products create name=Tea price:=-1 currency=BRL");
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("Parameter: price")]);

    const key = await project.run("keys create kind=secret --secret-to key.txt --json");
    const text = readFileSync(join(project.folder, "key.txt"), "utf8").trim();
    expect(key.out + key.err).not.toContain(text);
    expect(statSync(join(project.folder, "key.txt")).mode & 0o777).toBe(0o600);
    const { id } = JSON.parse(key.out);
    await project.run(`keys revoke ${id}`);
    expect((await project.json(`keys show ${id}`)).revoked_at).toMatch(/^20/);

    expect((await project.run("origins add https://shop.example.com")).code).toBe(0);
    const list = await project.run("origins list");
    expect(list.out).toContain("https://shop.example.com");
    expect((await project.run("origins remove https://shop.example.com")).code).toBe(0);
    await project.json("coupons create code=TEN discount_type=percentage discount_amount:=10");
    expect((await project.run("coupons list")).out).toMatch(/^id .*code/);
  });
});
