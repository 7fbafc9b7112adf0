import { type StorageCase, times } from "../fixtures/case.ts";

const rule = { bucket: "b", limit: 10, window_ms: 60_000 };

export const limitCases: readonly StorageCase[] = [
  {
    name: "ten of fifty concurrent hits pass, and refused hits are not counted",
    async run({ storage, clock, assert }) {
      const hits = await times(50, () => storage.limits.hit(rule, clock.now()));
      assert.equal(hits.filter((hit) => hit.allowed).length, 10);

      clock.advance(59_999);
      const refused = await storage.limits.hit(rule, clock.now());
      assert.deepEqual([refused.allowed, refused.remaining, refused.reset_ms], [false, 0, 1]);

      clock.advance(1);
      assert.equal((await storage.limits.hit(rule, clock.now())).allowed, true);
    },
  },
  {
    name: "no interval of the window's length passes more hits than the limit",
    async run({ storage, clock, assert }) {
      const passed: number[] = [];
      for (let turn = 0; turn < 200; turn += 1) {
        if ((await storage.limits.hit(rule, clock.now())).allowed) passed.push(clock.now());
        clock.advance(1_700);
      }
      for (const start of passed)
        assert.ok(passed.filter((time) => time >= start && time < start + 60_000).length <= 10);
      assert.ok(passed.length >= 50);
    },
  },
  {
    name: "hits from before the clock was set back count for nothing, those a moment ahead count",
    async run({ storage, clock, assert }) {
      await times(10, () => storage.limits.hit(rule, clock.now()));
      const refused = await storage.limits.hit(rule, clock.now() - 500);
      assert.equal(refused.allowed, false);

      const halfAnHour = 1_800_000;
      const hits = await times(20, () => storage.limits.hit(rule, clock.now() - halfAnHour));
      assert.equal(hits.filter((hit) => hit.allowed).length, 10);
      assert.ok(hits.every(({ reset_ms }) => reset_ms > 0 && reset_ms <= rule.window_ms));
    },
  },
  {
    name: "buckets are counted apart",
    async run({ storage, clock, assert }) {
      await times(10, () => storage.limits.hit(rule, clock.now()));
      assert.equal((await storage.limits.hit({ ...rule, bucket: "c" }, clock.now())).remaining, 9);
    },
  },
  {
    name: "the limit also holds by the storage's own clock",
    async run({ storage, assert }) {
      const { limits } = storage;
      const own = { bucket: "own", limit: 10, window_ms: 3_600_000 };
      // A storage without a clock of its own counts by the host's, as in the cases above.
      if (!storage.clock) return assert.equal(storage.clock, null);
      const hits = await times(50, () => limits.hit(own, null));
      assert.equal(hits.filter((hit) => hit.allowed).length, 10);
      assert.ok(hits.every(({ reset_ms }) => reset_ms > 0 && reset_ms <= own.window_ms));

      await new Promise((done) => setTimeout(done, 5));
      assert.equal((await limits.hit({ ...own, window_ms: 1 }, null)).allowed, true);
    },
  },
];
