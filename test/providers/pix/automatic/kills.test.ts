import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { databases } from "../../../processes/databases.ts";
import { forkable } from "../../../support/bundle.ts";
import { callbackSecret } from "../fake-bank.ts";
import { endBanksAfterAll } from "../setup.ts";
import { settleDebits } from "./books.ts";
import { day, subscribed } from "./subscriber.ts";

endBanksAfterAll();

const minute = 60_000;
/** Maintenance runs at these times, counted from the start of the period that is charged. */
const onItsDay = [-4 * day, -4 * day + 5 * minute, 0, 60 * minute];
const onLaterDays = [
  ...[2 * day, 2 * day + 5 * minute, 3 * day, 3 * day + 90 * minute],
  // A process that is killed over a look holds its lease, so that what it did is left to a later one.
  ...[5 * day, ...[0, 1, 2, 3, 4, 5, 6].map((look) => 6 * day + look * 90 * minute)],
];

describe.concurrent.each(databases)(
  "processes killed while they charge by Pix Automático, on %s",
  (_name, open) => {
    test("each period is charged once, and the bank has what the books have", {
      timeout: 400_000,
    }, async (context) => {
      const { args, storage } = open(context);
      await storage.migrate();
      const shop = await subscribed({ storage });
      const { baseUrl, account, books } = shop.bank;
      const gateway = { baseUrl, account: account(), livemode: false, automatic: {} };
      const job = JSON.stringify({ ...gateway, callback: { secret: callbackSecret } });
      const start = await forkable("test/providers/pix/automatic/kill-worker.ts");
      let kills = 0;

      /** Runs maintenance in processes of their own until one of them outlives it. */
      const maintain = async (time: number, outlives = ""): Promise<void> => {
        for (;;) {
          const look = `${time}${outlives}`;
          const [code, signal] = await once(start([...args, job, look]), "exit");
          if (signal !== "SIGKILL") return expect(code).toBe(0);
          kills += 1;
        }
      };
      // The second charge finds no money on its day.
      books().hasMoney = ({ tentativas, calendario }) =>
        tentativas.length > 1 || !calendario.dataDeVencimento.startsWith("2026-03");
      let now = shop.now();
      shop.keepTime(() => now);
      for (const [month, times] of [
        [1, onItsDay],
        [2, [...onItsDay, ...onLaterDays]],
      ] as const)
        for (const time of times) {
          now = Date.UTC(2026, month, 1, 12) + time;
          settleDebits(books());
          await maintain(now);
        }
      // What the killed looks have left, even a try that the bank was asked for at the end and that
      // it makes on the next day, is ended by looks that nobody kills.
      for (let look = 0; look < 6; look += 1) {
        now += day / 2;
        settleDebits(books());
        await maintain(now, "!");
      }

      expect(kills).toBeGreaterThan(0);
      expect(await shop.find()).toMatchObject({
        status: "active",
        current_period_start: "2026-03-01T12:00:00.000Z",
      });
      const charges = shop.charges().map(({ tentativas, pix }) => [tentativas.length, pix.length]);
      expect(charges).toEqual([
        [1, 1],
        [2, 1],
      ]);
      expect(await shop.books()).toEqual([6000, 6000]);
      await shop.storefront.close();
    });
  },
);
