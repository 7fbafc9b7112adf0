import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { afterEveryTest } from "../support/after-test.ts";
import type { Json } from "./project.ts";
import { openShop } from "./served-shop.ts";

const cleanups: (() => void)[] = [];
afterEveryTest(async () => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** Opens a receiver that refuses every event, with an escape sequence in its answer. */
async function openRefuser(): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(500).end("\x1b[31mno such order");
  });
  cleanups.push(() => server.close());
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.each(["sqlite", "postgres"] as const)("failed deliveries on %s", (kind) => {
  test("are listed with their last answer, which events show tells too, and replay counts", async () => {
    const shop = await openShop(kind);
    const { project, seeded } = shop;
    const target = await openRefuser();
    const env = { ...shop.env, TRANSPORT: JSON.stringify({ allowTargets: [target] }) };
    expect((await project.run("deliveries list", { env })).out).toBe("None.\n");
    const { id } = await project.json(`endpoints create url=${target}/hook`, { env });
    const paid = await project.json("trigger order.paid", { env });
    await project.json("drain --yes", { env });

    const { data } = await project.json("deliveries list", { env });
    expect(data.length).toBeGreaterThan(1);
    for (const delivery of data)
      expect(delivery).toMatchObject({
        endpoint_id: id,
        state: "pending",
        attempts: 1,
        next_attempt_at: expect.stringMatching(/^20/),
        last_attempt: { status: 500, snippet: expect.stringContaining("no such order") },
      });
    const listed = await project.run(`deliveries list --event ${paid.id}`, { env });
    const [head, outcome = "", ...rest] = listed.out.trimEnd().split("\n");
    expect(head).toBe(`${paid.id}  order.paid  ${id}`);
    expect(outcome).toMatch(/^ {2}pending · 1 attempt · 500 .*no such order · next 20\S+Z$/);
    expect([rest, outcome.includes("\x1b")]).toEqual([[], false]);
    const [first] = (await project.json("deliveries list --limit 1", { env })).data;
    expect(first).toEqual(data[0]);
    const none = `deliveries list --state exhausted --endpoint ${id}`;
    expect((await project.json(none, { env })).data).toEqual([]);
    expect((await project.run("deliveries list --state lost", { env })).code).toBe(2);
    expect((await project.run(`events show ${paid.id}`, { env })).out).toContain(outcome);

    const { out } = await project.run("doctor --json", { env });
    const checks: Json[] = JSON.parse(out).checks;
    const found = checks.find(({ check }) => check === "endpoints");
    const words = `vitrine deliveries list --store ${seeded.store_id} --endpoint ${id}, or`;
    expect(found.findings[0].mend).toContain(words);

    const replay = `replay --endpoint ${id} --since 2h`;
    const [next] = data.map((each: Json) => each.next_attempt_at).sort();
    const waiting = { count: data.length, next_attempt_at: next };
    expect(await project.json(replay, { env })).toEqual({ recovered: 0, waiting });
    const said = (await project.run(replay, { env })).out;
    expect(said).toContain(`${data.length} more failed and wait for their next attempt`);
    expect(said).toContain(next);
    const until = `${replay} --until 1h`;
    expect((await project.json(until, { env })).waiting.count).toBe(0);
  }, 240_000);
});

test("an endpoint is disabled, enabled with what it missed, and given a new secret once", async () => {
  const { project, ...shop } = await openShop("sqlite");
  const target = await openRefuser();
  const env = { ...shop.env, TRANSPORT: JSON.stringify({ allowTargets: [target] }) };
  const { id, secret } = await project.json(`endpoints create url=${target}/hook`, { env });
  await project.json("trigger order.paid", { env });

  const disabled = await project.run(`endpoints disable ${id}`, { env });
  expect(disabled.out).toBe(`${id} is disabled. What was pending is skipped.\n`);
  const skipped = (await project.json("deliveries list --state skipped", { env })).data;
  expect(skipped.length).toBeGreaterThan(1);
  expect((await project.run(`replay --endpoint ${id} --since 1h`, { env })).code).not.toBe(0);

  const plain = await project.run(`endpoints enable ${id}`, { env });
  expect(plain.out).toContain(`${id} is enabled.\nWhat it missed stays skipped.`);
  const enabled = await project.json(`endpoints enable ${id} --replay-since 1h`, { env });
  expect(enabled).toMatchObject({ id, state: "enabled", recovered: skipped.length });

  const rotate = `endpoints rotate-secret ${id}`;
  const rotated = await project.json(`${rotate} --overlap 0h --secret-to hook.txt`, { env });
  expect(rotated).toMatchObject({ id, secret_to: "hook.txt" });
  expect(Date.parse(rotated.old_secret_expires_at)).toBeLessThanOrEqual(Date.now());
  const kept = readFileSync(join(project.folder, "hook.txt"), "utf8").trim();
  expect(kept).toMatch(/^whsec_/);
  expect([secret, JSON.stringify(rotated)]).not.toContain(kept);
  expect((await project.json(rotate, { env })).secret).toMatch(/^whsec_/);

  expect((await project.run(`${rotate} --overlap soon`, { env })).code).toBe(2);
  for (const words of ["enable we_none", "disable we_none", "rotate-secret we_none"]) {
    const { code, err } = await project.run(`endpoints ${words}`, { env });
    expect([words, code, err]).toEqual([words, 1, expect.stringContaining("no such resource")]);
  }
}, 120_000);
