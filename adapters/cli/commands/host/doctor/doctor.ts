import { type Call, type ExitName, end } from "../../../frame/command.ts";
import { exitOf, sentenceOf } from "../../../frame/failure.ts";
import type { Check, Examined, Finding } from "./check.ts";
import { httpChecks } from "./checks-http.ts";
import { postgresChecks } from "./checks-postgres.ts";
import { processChecks } from "./checks-process.ts";
import { webhookChecks } from "./checks-webhooks.ts";

/** Every check, in the order of the screen. */
const checks: readonly Check[] = [
  ...processChecks,
  ...postgresChecks,
  ...webhookChecks,
  ...httpChecks,
];

const mostStores = 100;

/** Looks for what goes wrong in hosts, and says how to mend each of it. Changes nothing. */
export async function run(call: Call): Promise<ExitName> {
  const { screen } = call;
  const examined = await examinedBy(call);
  const results: Result[] = [];
  let isDown = false;
  const checksByReason = new Map<string, string>();
  for (const check of checks) {
    screen.progress(`looking at: ${check.name}`);
    // What cannot be looked at is a finding: the reason is most often the fault itself.
    const findings = await check.run(examined).catch((error: unknown) => {
      const reason = sentence(error);
      const told = checksByReason.get(reason);
      if (told !== undefined) return `could not be looked at either: ${told} says why`;

      checksByReason.set(reason, check.name);
      const isAway = exitOf(error) === "unreachable";
      isDown ||= isAway;
      return [unlooked(reason, isAway)];
    });
    const needs = typeof findings === "string" ? findings : null;
    results.push({
      check: check.name,
      looked: needs === null,
      needs,
      findings: typeof findings === "string" ? [] : findings,
    });
  }

  screen.settle();
  const { paint } = screen;
  const count = results.reduce((sum, { findings }) => sum + findings.length, 0);
  screen.result({ findings: count, checks: results }, () => [
    ...results.flatMap(({ check, needs, findings }) =>
      findings.length === 0
        ? [needs === null ? `${paint.good("✓")} ${check}` : paint.soft(`- ${check}: ${needs}`)]
        : findings.flatMap(({ fault, mend }) => [
            `${paint.bad("✗")} ${paint.strong(check)}: ${fault}`,
            `  ${mend}`,
          ]),
    ),
    "",
    count === 0 ? "Nothing was found." : count === 1 ? "1 finding." : `${count} findings.`,
  ]);
  if (isDown) return "unreachable";
  return count === 0 ? "done" : "failed";
}

const unlooked = (reason: string, isAway: boolean): Finding => ({
  fault: `It could not be looked at: ${reason}`,
  mend: isAway
    ? "Start the database, or correct its address in the configuration, then look again."
    : "Mend that first, then look again.",
});

interface Result {
  readonly check: string;
  /** False when the check could look at nothing. `needs` says why. */
  readonly looked: boolean;
  readonly needs: string | null;
  readonly findings: readonly Finding[];
}

const sentence = (error: unknown): string => {
  const text = sentenceOf(error);
  return text.endsWith(".") ? text : `${text}.`;
};

async function examinedBy({ host, input }: Call): Promise<Examined> {
  const opened = host();
  const testKey = process.env["VITRINE_API_KEY"]?.trim();
  if (testKey?.startsWith("hk_live_"))
    end("usage", "doctor takes only a key of test mode: hk_test_…");

  const listing = opened.storefront.owner.stores.list({ limit: mostStores });
  // What cannot be listed is told by each check that needs it.
  await listing.catch(() => undefined);
  return {
    host: opened,
    storeIds: async () => (await listing).data.map(({ id }) => id),
    testKey,
    leastFreeMib: input.number("disk", 1) ?? 1_024,
    now: Date.now,
  };
}
