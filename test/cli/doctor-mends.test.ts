import { createServer } from "node:http";
import { expect, test } from "vitest";
import { freePort } from "../support/free-port.ts";
import { findings } from "./doctor-findings.ts";
import { newProject, type Project, sqliteHost } from "./project.ts";

/** A host whose lines stand in the given order. */
const host = (...lines: readonly string[]): string => `import express from "express";
import { toExpress } from "vitrine/express";
import { storefront } from "./vitrine.config.mjs";
const app = express();
${lines.join("\n")}
app.listen(process.env.PORT, () => console.log("listening"));
`;

const parser = "app.use(express.json());";
const api = "app.use(toExpress(storefront));";
const page = "app.use(toExpress(storefront.checkoutPage));";

/** What a reader of the mends makes of the host, one after the other. */
const hosts: readonly (readonly [wrong: string, found: readonly string[]])[] = [
  [host('app.use("/shop", toExpress(storefront));', page), ["mount path"]],
  [host(api, parser), ["checkout page"]],
  [host(parser, api, page), ["body parser"]],
  [host('app.set("trust proxy", true);', api, page), ["proxy"]],
  [host('app.set("trust proxy", "10.0.0.1");', api, page, parser), []],
];

async function runHost<T>(project: Project, text: string, work: () => Promise<T>, env: object) {
  project.write("host.mjs", text);
  const running = project.node("host.mjs", env as Readonly<Record<string, string>>);
  await running.wrote("listening");
  const result = await work();
  running.process.kill();
  await running.ended;
  return result;
}

test("each mend of the doctor, followed to the letter, ends its finding", async () => {
  const project = await newProject();
  const [port, hook] = [await freePort(), await freePort()];
  const env = {
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    TRANSPORT: JSON.stringify({ allowTargets: [`http://127.0.0.1:${hook}`] }),
  };
  project.write("vitrine.config.mjs", sqliteHost);
  // "Run: vitrine migrate"
  expect(await findings(project, "doctor", env)).toContain("schema");
  await project.json("migrate --yes", { env });
  const { secret_key } = await project.json("seed", { env });
  const keyEnv = { ...env, VITRINE_API_KEY: secret_key };
  for (const [text, found] of hosts) {
    const look = () => findings(project, "doctor", keyEnv);
    expect(await runHost(project, text, look, env)).toEqual(found);
  }

  await project.json(`endpoints create url=http://127.0.0.1:${hook}/hook`, { env });
  const past = "now: () => Date.now() - 172_800_000,\n  requestLog";
  project.write("past.config.mjs", sqliteHost.replace("requestLog", past));
  await project.json("trigger order.created --config past.config.mjs", { env });
  const other = sqliteHost.replace("fill(7)", "fill(8)");
  project.write("other.config.mjs", other.replace(/transport: .*/, ""));
  const quiet = { TRANSPORT: env.TRANSPORT, PUBLIC_URL: env.PUBLIC_URL };
  const [right = ""] = hosts.at(-1) ?? [];
  await runHost(
    project,
    right,
    async () => {
      const words = "doctor --config other.config.mjs";
      const planted = ["sealKey", "transport", "reach", "queue", "maintenance"];
      expect(await findings(project, words, quiet)).toEqual(planted);

      // "Pass `transport: nodeTransport()`", "sealKeys: [newKey, oldKey]", "correct the address",
      // "`vitrine drain` by cron", "`vitrine maintain` by cron".
      const both = sqliteHost.replace(
        "sealKey: new Uint8Array(32).fill(7)",
        "sealKeys: [new Uint8Array(32).fill(8), new Uint8Array(32).fill(7)]",
      );
      project.write("other.config.mjs", both);
      const receiver = createServer((_request, response) => response.end()).listen(hook);
      try {
        await project.json("maintain --yes --config other.config.mjs", { env: quiet });
        await project.json("drain --yes --config other.config.mjs", { env: quiet });
        expect(await findings(project, words, quiet)).toEqual([]);
      } finally {
        receiver.close();
      }
    },
    env,
  );
}, 400_000);
