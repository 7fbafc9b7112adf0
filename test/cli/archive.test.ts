import { expect, test } from "vitest";
import { newProject, sqliteHost } from "./project.ts";

test("archive moves a past month into a folder, reads an order there, and refuses the rest", async () => {
  const project = await newProject();
  project.write("vitrine.config.mjs", sqliteHost);
  await project.json("migrate --yes");
  await project.json("seed");
  const made = await project.json("trigger order.paid");
  const { id, number } = made.payload.data.order;
  const month = new Date().toISOString().slice(0, 7);

  for (const words of [
    "archive --folder files",
    `archive --folder files --month ${month} --find 1`,
    `archive --month ${month}`,
  ])
    expect((await project.run(words)).code, words).toBe(2);
  const young = await project.run(`archive --folder files --month ${month}`);
  expect([young.code, young.err]).toEqual([2, expect.stringContaining("18 months ago")]);

  const days = 600 * 86_400_000;
  const aged = sqliteHost.replace("({\n", `({\n  now: () => Date.now() + ${days},\n`);
  expect(aged).toContain("now:");
  project.write("vitrine.config.mjs", aged);
  await project.json("maintain --yes");
  const moved = await project.json(`archive --folder files --month ${month}`);
  expect(moved).toMatchObject({ month, complete: true, moved: 1, stayed: {} });
  expect(await project.json(`archive --folder files --find ${id}`)).toMatchObject({ id, number });
  expect(await project.json(`archive --folder files --find #${number}`)).toMatchObject({ id });
  expect((await project.run("archive --folder files --find 999")).code).toBe(1);
}, 120_000);
