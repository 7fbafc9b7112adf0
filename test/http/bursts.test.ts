import { expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { createShop } from "../support/shop.ts";

/** Keeps the processor busy, as a storage in this process does. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test("a burst of requests that the host hands over itself leaves turns to timers", async () => {
  let calls = 0;
  let begunInTurn = 0;
  let most = 0;
  const storage = memoryStorage();
  const shop = await createShop({
    ...storage,
    catalog: {
      ...storage.catalog,
      findProduct: (...given) => {
        calls += 1;
        begunInTurn += 1;
        work(10);
        return storage.catalog.findProduct(...given);
      },
    },
  });
  let isOver = false;
  const beat = (): void => {
    most = Math.max(most, begunInTurn);
    begunInTurn = 0;
    if (!isOver) setTimeout(beat, 0);
  };
  setTimeout(beat, 0);

  const headers = { authorization: `Bearer ${shop.a.test.pub}` };
  const ask = (index: number) =>
    shop.storefront.handler(
      new Request(`https://shop.example.com/v1/products/p${index}`, { headers }),
    );
  const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => ask(index)));
  isOver = true;
  most = Math.max(most, begunInTurn);
  expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(404));
  expect(calls).toBe(30);
  expect(most).toBeLessThanOrEqual(3);
});
