import { execFileSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { patience } from "../support/patience.ts";
import { startServer } from "../support/postgres-server.ts";
import { createShop, type Shop } from "../support/shop.ts";
import { startSeed } from "./seed.ts";

/** PostgreSQL runs as this user when the tests run as root. */
const nobody = 65_534;

/** A disk of 16 MB with nothing on it. Only root may mount one. */
function smallDisk(): string {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=16m,mode=700", "tmpfs", folder]);
  onTestFinished(() => {
    execFileSync("umount", [folder]);
    rmSync(folder, { recursive: true });
  });
  chownSync(folder, nobody, nobody);
  return folder;
}

/** A PostgreSQL of its own, whose tables are on the disk. */
async function serverOn(disk: string): Promise<string> {
  const server = await startServer();
  onTestFinished(() => server.stop());
  const admin = new pg.Client(server.url);
  await admin.connect();
  await admin.query(`create tablespace small location '${disk}'`);
  await admin.query("create database shop tablespace small");
  await admin.end();

  const url = new URL(server.url);
  url.pathname = "shop";
  return url.href;
}

// It needs root, so ATTACK_ROUNDS runs it, and `npm test` does not.
test.runIf(process.env["ATTACK_ROUNDS"])(
  "a full disk of PostgreSQL makes writes 503 with nothing half-done, and sales go on once there is room",
  async () => {
    const random = startSeed("disk full on PostgreSQL");
    const disk = smallDisk();
    const pool = new pg.Pool({ connectionString: await serverOn(disk), max: 4 });
    onTestFinished(() => pool.end());
    // The server ends before the last connections have closed.
    pool.on("connect", (client) => client.on("error", () => {}));
    pool.on("error", () => {});
    const storage = postgresStorage(pool);
    await storage.migrate();
    const shop = await createShop(storage, {
      limits: { checkout: null },
      readyz: true,
      now: Date.now,
    });
    const rowsOf = async (table: string): Promise<string> =>
      (await pool.query(`select count(*) from ${table}`)).rows[0].count;

    const ballast = join(disk, "ballast");
    for (let round = 0; round < 10; round += 1) {
      // A few pages stay free: the disk fills up somewhere within a purchase.
      fillDisk(ballast, Math.floor(random() * 12) * 8_192);

      const statuses = new Set<number>();
      for (let call = 0; call < 400 && !statuses.has(503); call += 1) {
        const made = await Promise.all([shop.session(), shop.session()]);
        for (const { status } of made) statuses.add(status);
      }
      expect(statuses.has(503)).toBe(true);
      expect([...statuses].filter((status) => status !== 201 && status !== 503)).toEqual([]);
      expect((await shop.get("/products", { key: shop.a.test.pub })).status).toBe(200);
      // Every key belongs to a session: none was written without the other.
      expect(await rowsOf("idempotency_keys")).toBe(await rowsOf("checkout_sessions"));

      const rest = `${ballast}-rest`;
      fillDisk(rest, 0);
      // An answer is remembered for a second.
      await vi.waitFor(
        async () => expect(await readiness(shop)).toMatchObject({ reasons: ["cannot_write"] }),
        patience,
      );

      truncateSync(rest);
      truncateSync(ballast);
      await vi.waitFor(
        async () => expect(await readiness(shop)).toMatchObject({ status: "ready" }),
        patience,
      );
      expect((await shop.buy()).status).toBe("paid");
    }
  },
);

async function readiness({ storefront }: Shop): Promise<unknown> {
  const reply = await storefront.handler(new Request("http://shop.example.com/v1/readyz"));
  return reply.json();
}

/** Writes a file until the disk is full, and then gives that many bytes back. */
function fillDisk(file: string, free: number): void {
  const block = Buffer.alloc(8_192);
  let size = 0;
  try {
    for (;;) {
      writeFileSync(file, block, { flag: "a" });
      size += block.length;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
  truncateSync(file, Math.max(0, size - free));
}
