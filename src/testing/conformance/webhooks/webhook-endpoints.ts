import { deleteRecord } from "../../../steps/record-steps.ts";
import {
  createEndpoint,
  rotateSecret,
  updateEndpoint,
} from "../../../steps/webhooks/endpoint-steps.ts";
import { verifyWebhook } from "../../../webhooks/verify.ts";
import { type StorageCase, times } from "../fixtures/case.ts";
import { endpointRecord } from "../fixtures/delivery-fixtures.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { partition } from "../fixtures/record-fixtures.ts";
import { day, engine, hour, refuse } from "../fixtures/webhook-fixtures.ts";

/** Checks the life of an endpoint: its secrets, its disabling and its notices. */
export const webhookEndpointCases: readonly StorageCase[] = [
  {
    name: "sixty concurrent creations store at most fifty endpoints",
    async run(context) {
      const { storage, assert } = context;

      await fixtures(context).shop();
      const made = await times(60, (index) =>
        createEndpoint(storage.records, endpointRecord(`we_${index}`), 50),
      );
      assert.equal(made.filter(({ outcome }) => outcome === "created").length, 50);
    },
  },
  {
    name: "after a rotation both secrets sign until the overlap ends, at most three in all",
    async run(context) {
      const { clock, storage, assert } = context;
      const shop = await engine(context);

      await shop.endpoint("we_1");
      const rotate = async (secret: string, overlap: number) =>
        rotateSecret(
          storage.records,
          { ...partition, id: "we_1" },
          {
            sealed: await shop.seal(secret, "we_1"),
            old_until: clock.now() + overlap,
            max: 3,
            now: clock.now(),
          },
        );
      const accepts = async (secret: string): Promise<boolean> => {
        await shop.sell();
        await shop.drain();
        const post = shop.posts.at(-1);
        const header = post?.headers["X-Service-Signature"];
        return (
          await verifyWebhook({
            rawBody: post?.body as string,
            header,
            secret,
            now: Math.floor(clock.now() / 1_000),
          })
        ).ok;
      };
      await rotate("whsec_new", hour);
      assert.deepEqual([await accepts("whsec_we_1"), await accepts("whsec_new")], [true, true]);

      clock.advance(hour);
      assert.deepEqual([await accepts("whsec_we_1"), await accepts("whsec_new")], [false, true]);

      await rotate("whsec_b", hour);
      await rotate("whsec_c", hour);
      const last = await rotate("whsec_d", hour);
      assert.equal(last?.secrets.length, 3);
      assert.deepEqual(
        [await accepts("whsec_new"), await accepts("whsec_b"), await accepts("whsec_d")],
        [false, true, true],
      );
      assert.equal(shop.posts.at(-1)?.headers["X-Service-Signature"]?.split("v1=").length, 4);

      await rotate("whsec_e", 0);
      assert.deepEqual([await accepts("whsec_d"), await accepts("whsec_e")], [false, true]);

      const sealed = await shop.seal("whsec_f", "we_1");
      const same = { sealed, old_until: clock.now() + hour, max: 3, now: clock.now() };
      await rotateSecret(storage.records, { ...partition, id: "we_1" }, same);
      assert.equal(
        (await rotateSecret(storage.records, { ...partition, id: "we_1" }, same))?.secrets.length,
        2,
      );
    },
  },
  {
    name: "an endpoint without success for three days is disabled once, with one notice",
    async run(context) {
      const { clock, storage, assert } = context;
      const shop = await engine(context);

      shop.receiver.answer = () => refuse;
      await shop.endpoint("we_1");
      await shop.sell(3);
      let disabled = 0;
      for (let hours = 0; hours < 80; hours += 1) {
        const reports = await times(4, () =>
          shop.drain({}, { scheduleMs: Array.from({ length: 90 }, () => hour) }),
        );
        disabled += reports.reduce((sum, report) => sum + report.endpoints_disabled, 0);
        if (hours < 72) assert.equal(disabled, 0, `after ${hours} hours`);
        clock.advance(hour);
      }
      assert.equal(disabled, 1);

      const [endpoint] = await storage.webhooks.listEndpoints(partition);
      assert.deepEqual([endpoint?.state, endpoint?.disabled_reason], ["disabled", "failing"]);
      assert.deepEqual(
        shop.told.map(({ type, subject }) => [type, subject]),
        [
          ["endpoint_failing", "we_1"],
          ["endpoint_disabled", "we_1"],
        ],
      );
      assert.deepEqual(
        (await storage.access.listAlerts("str_A", { before: null, limit: 10 })).map(
          ({ type }) => type,
        ),
        ["endpoint_disabled", "endpoint_failing"],
      );
      assert.deepEqual(await shop.states(), ["skipped", "skipped", "skipped"]);
    },
  },
  {
    name: "one bad event, few attempts or a success in between disable no endpoint",
    async run(context) {
      const { clock, storage, assert } = context;
      const shop = await engine(context);

      const hourly = { scheduleMs: Array.from({ length: 200 }, () => hour) };
      const enabled = async () =>
        (await storage.webhooks.listEndpoints(partition))[0]?.state === "enabled";
      shop.receiver.answer = () => refuse;
      await shop.endpoint("we_1");
      await shop.sell();
      for (let hours = 0; hours < 80; hours += 1) {
        await shop.drain({}, hourly);
        clock.advance(hour);
      }
      assert.ok(await enabled(), "one event alone");

      shop.receiver.answer = () => ({});
      await shop.drain({}, hourly);
      shop.receiver.answer = () => refuse;
      await shop.sell(2);
      for (let days = 0; days < 5; days += 1) {
        await shop.drain({}, { scheduleMs: Array.from({ length: 9 }, () => day) });
        clock.advance(day);
      }
      assert.ok(await enabled(), "ten attempts");
    },
  },
  {
    name: "a notice is repeated until it is acknowledged, and enabling starts over",
    async run(context) {
      const { clock, storage, assert } = context;
      const shop = await engine(context);

      shop.receiver.answer = () => refuse;
      await shop.endpoint("we_1");
      await shop.sell(2);
      const hourly = Array.from({ length: 90 }, () => hour);
      let refused = 0;
      const deaf = {
        scheduleMs: hourly,
        tellAlert: async () => {
          refused += 1;
          throw new Error("the owner's mailbox is full");
        },
      };
      for (let hours = 0; hours < 26; hours += 1) {
        await shop.drain({}, deaf);
        clock.advance(hour);
      }
      assert.ok(refused >= 1);

      await shop.drain({}, { scheduleMs: hourly });
      await shop.drain({}, { scheduleMs: hourly });
      assert.deepEqual(
        shop.told.map(({ type }) => type),
        ["endpoint_failing"],
      );

      await updateEndpoint(
        storage.records,
        { ...partition, id: "we_1" },
        {
          state: "disabled",
          disabled_reason: "owner",
        },
      );
      await updateEndpoint(
        storage.records,
        { ...partition, id: "we_1" },
        {
          state: "enabled",
          disabled_reason: null,
        },
      );
      for (let hours = 0; hours < 60; hours += 1) {
        await shop.drain({}, { scheduleMs: hourly });
        clock.advance(hour);
      }
      assert.equal((await storage.webhooks.listEndpoints(partition))[0]?.state, "enabled");
    },
  },
  {
    name: "an update over a changed endpoint is stale: of ten concurrent ones one is stored",
    async run(context) {
      const { storage, assert } = context;
      const shop = await engine(context);

      await shop.endpoint("we_1");
      const [before] = await storage.webhooks.listEndpoints(partition);
      if (!before) throw new Error("The endpoint is missing.");
      const over = (description: string) =>
        updateEndpoint(storage.records, { ...partition, id: "we_1" }, { description }, before);
      const raced = await times(10, (index) => over(`Text ${index}`));

      const written = raced.filter((result) => result !== "stale");
      assert.equal(written.length, 1);
      const [stored] = await storage.webhooks.listEndpoints(partition);
      assert.deepEqual(written[0], stored);
      assert.equal(await over("Late"), "stale");
      assert.equal(
        await updateEndpoint(storage.records, { ...partition, id: "we_none" }, {}, before),
        null,
      );
    },
  },
  {
    name: "disabling stops claims immediately and skips the pending deliveries in chunks",
    async run(context) {
      const { clock, storage, assert } = context;
      const shop = await engine(context);

      await shop.endpoint("we_1");
      await shop.endpoint("we_2");
      await shop.sell(5);
      await updateEndpoint(
        storage.records,
        { ...partition, id: "we_1" },
        {
          state: "disabled",
          disabled_reason: "owner",
        },
      );
      assert.equal(await storage.webhooks.skipDeliveries("str_A", "we_1", 3, clock.now()), 3);
      assert.equal(await storage.webhooks.skipDeliveries("str_A", "we_2", 3, clock.now()), 0);

      await deleteRecord(storage.records, "endpoint", { ...partition, id: "we_2" });
      assert.deepEqual([(await shop.drain()).attempted, shop.posts.length], [0, 0]);
      assert.equal(
        (await shop.states()).every((state) => state === "skipped"),
        true,
      );
    },
  },
];
