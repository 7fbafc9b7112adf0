import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, expect, test } from "vitest";
import { renderProductImage } from "../../examples/demo/images.ts";
import { type Demo, freshFolder, startDemo } from "../support/demo.ts";

const running: Demo[] = [];
const stopAll = async () => {
  for (const demo of running.splice(0)) await demo.stop();
};
afterEach(stopAll);

async function picturesOf(demo: Demo): Promise<readonly string[]> {
  const answer = await fetch(`${demo.report.base_url}/products?limit=100`, {
    headers: { authorization: `Bearer ${demo.report.keys.test.publishable}` },
  });
  const { data } = (await answer.json()) as { data: readonly { images: readonly string[] }[] };
  return data.flatMap(({ images }) => images);
}

test("the demo's pictures have whole addresses, also when it listens elsewhere the next time", async () => {
  const database = join(freshFolder(), "shop.sqlite");
  const origins: string[] = [];
  for (let turn = 0; turn < 2; turn += 1) {
    const demo = await startDemo("--database", database);
    running.push(demo);
    origins.push(demo.origin);
    const pictures = await picturesOf(demo);
    expect(pictures.length).toBeGreaterThan(20);
    expect(pictures.filter((picture) => !picture.startsWith(`${demo.origin}/images/`))).toEqual([]);
    const picture = await fetch(pictures[0] ?? "");
    expect([picture.status, picture.headers.get("content-type")]).toEqual([
      200,
      "image/svg+xml; charset=utf-8",
    ]);
    await stopAll();
  }
  expect(new Set(origins).size).toBe(2);
});

test("every product of the demo's catalog has a drawing of its own, which browsers can read", () => {
  const file = resolve(import.meta.dirname, "../../examples/demo/catalog.csv");
  const slugs = new Set(
    [...readFileSync(file, "utf8").matchAll(/\/images\/([a-z0-9-]+)\.svg/g)].map(
      ([, slug = ""]) => slug,
    ),
  );
  const drawings = [...slugs].map(renderProductImage);
  expect(new Set([...drawings, renderProductImage("unknown")]).size).toBe(slugs.size + 1);
  expect(slugs.size).toBeGreaterThan(60);

  // An attribute that an element names twice makes the whole picture unreadable.
  const twice = drawings.flatMap((drawing) => drawing.match(/<[^>]* ([\w-]+)="[^>]* \1="/g) ?? []);
  expect(twice).toEqual([]);
  expect(drawings.filter((drawing) => drawing.includes("$"))).toEqual([]);
});
