// What the scripts share that try the starters: a first purchase, by a server of any kind.
import { tsImport } from "tsx/esm/api";
import nextLock from "../../examples/next/package-lock.json" with { type: "json" };
import { ask, buyByApi, buyOnPage, pay } from "./purchase.mjs";

const { freePort } = await tsImport("../support/free-port.ts", import.meta.url);

export const starters = {
  express: { versions: [], order: buyByApi, exitCode: 0, async check() {} },
  next: {
    // A version whose packages for each platform have just come out may lack some of them, and
    // `npm ci` then refuses the lock file: take the one that the example is tested with.
    versions: [`next@${nextLock.packages["node_modules/next"].version}`],
    order: buyOnPage,
    // The status of a process that SIGTERM has ended, which Next.js gives when all is answered.
    exitCode: 143,
    async check(origin) {
      const headers = { authorization: "Bearer cron-secret" };
      await ask(`${origin}/cron`, {}, 401);
      await ask(`${origin}/cron`, { headers }, 200);
    },
  },
};

/** Gives the settings of a server on a free port. */
export async function settingsOfServer() {
  const port = await freePort("localhost");
  return {
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    SEAL_KEY: Buffer.alloc(32, 7).toString("base64"),
    CRON_SECRET: "cron-secret",
  };
}

/** Reads what a starter's set-up prints. */
export function readPrinted(text) {
  return Object.fromEntries(
    text
      .trim()
      .split("\n")
      .map((line) => line.split("=")),
  );
}

/** Waits for the server, buys, pays and ends it. Gives the address of the paid checkout. */
export async function sell(starter, server, settings, orderNumber = 1) {
  const origin = settings.PUBLIC_URL;
  try {
    await server.isReady(`${origin}/v1/readyz`);
    const checkoutUrl = await starter.order(origin, settings);
    await pay(checkoutUrl, `${origin}/thanks`);
    await server.says(new RegExp(`Order ${orderNumber} is paid: Coffee`));

    await ask(`${origin}/v1/healthz`, {}, 200);
    await ask(`${origin}/dashboard`, {}, 401);
    await starter.check(origin);
    return checkoutUrl;
  } finally {
    await server.end(starter.exitCode);
  }
}
