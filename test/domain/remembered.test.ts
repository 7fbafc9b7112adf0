import { describe, expect, test } from "vitest";
import { askOnce } from "../../src/domain/async/ask-once.ts";
import { remember } from "../../src/domain/async/remember.ts";
import { createSeenNames } from "../../src/domain/text/seen-names.ts";

describe("a question that many ask", () => {
  /** A question whose answers the test gives; they are numbered as they are asked. */
  function setUp(rememberMs = 100) {
    const clock = { now: 1_000 };
    const answers: ((text: string) => void)[] = [];
    let shown = 0;
    const ask = askOnce({
      steadyNow: () => clock.now,
      rememberMs,
      question: () => new Promise<string>((resolve) => void answers.push(resolve)),
      async show(answer) {
        shown += 1;
        return `${await answer}!`;
      },
    });
    return { clock, answers, ask, shown: () => shown };
  }

  test("is asked once for all who come while its answer is young, and shown once", async () => {
    const { clock, answers, ask, shown } = setUp();
    const first = [ask(), ask()];
    expect(answers).toHaveLength(1);
    answers[0]?.("one");
    expect(await Promise.all(first)).toEqual(["one!", "one!"]);

    clock.now += 99;
    expect(await ask()).toBe("one!");
    expect([answers.length, shown()]).toEqual([1, 1]);
  });

  test("is asked again as soon as the answer is too old", async () => {
    const { clock, answers, ask } = setUp();
    const first = ask();
    answers[0]?.("one");
    await first;

    clock.now += 100;
    const second = ask();
    expect(answers).toHaveLength(2);
    answers[1]?.("two");
    expect(await second).toBe("two!");
  });

  test("waits for no second answer while the first one is late", async () => {
    const { clock, answers, ask } = setUp();
    const first = ask();
    clock.now += 1_000;
    const second = ask();
    expect(answers).toHaveLength(1);
    answers[0]?.("late");
    expect(await Promise.all([first, second])).toEqual(["late!", "late!"]);

    const third = ask();
    expect(answers).toHaveLength(2);
    answers[1]?.("new");
    expect(await third).toBe("new!");
  });
});

describe("results that are remembered", () => {
  function setUp(max: number) {
    const made: string[] = [];
    const length = remember(max, (key: string) => {
      made.push(key);
      return key.length;
    });
    return { made, length };
  }

  test("are made once for each key", () => {
    const { made, length } = setUp(10);
    expect([length("a"), length("bb"), length("a"), length("bb")]).toEqual([1, 2, 1, 2]);
    expect(made).toEqual(["a", "bb"]);
  });

  test("are all forgotten by the first key above the limit", () => {
    const { made, length } = setUp(2);
    for (const key of ["a", "b", "a", "b", "c", "c", "a"]) length(key);
    expect(made).toEqual(["a", "b", "c", "a"]);
  });
});

test("names are seen of one holder, and all of it are forgotten above the limit", () => {
  const seen = createSeenNames(2);
  const [one, other] = [{}, {}];
  for (const name of ["a", "b"]) seen.add(one, name);
  expect(["a", "b", "c"].map((name) => seen.has(one, name))).toEqual([true, true, false]);
  expect(seen.has(other, "a")).toBe(false);

  seen.add(one, "c");
  expect(["a", "b", "c"].map((name) => seen.has(one, name))).toEqual([false, false, true]);
});
