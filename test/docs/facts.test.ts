import { expect, test } from "vitest";
import { maxOpenAccounts } from "../../adapters/payments/pix/accounts.ts";
import { aheadDays } from "../../adapters/payments/pix/automatic/options.ts";
import { longestText } from "../../adapters/payments/pix/charges.ts";
import { answerWithinMs } from "../../adapters/payments/pix/connection.ts";
import { refundableMs } from "../../adapters/payments/pix/refunds.ts";
import { aroundMs } from "../../adapters/payments/stripe/client.ts";
import { sessionMs as stripeSessionMs } from "../../adapters/payments/stripe/create.ts";
import {
  lockWaitMs,
  longestQuietWaitMs,
} from "../../adapters/storage/sql/engine/sqlite/busy-wait.ts";
import { usualWaits } from "../../adapters/storage/sql/migrate/migrate.postgres.ts";
import { maxBytes } from "../../adapters/webhooks/receive.ts";
import { pageSize as feedPage } from "../../src/agents/acp/feed.ts";
import { kept as profileKept } from "../../src/agents/shared/cached-reader.ts";
import { mostIds } from "../../src/agents/ucp/catalog/catalog.ts";
import { limits as signatureLimits } from "../../src/agents/ucp/signatures/verify-request.ts";
import { sessionSeconds } from "../../src/dashboard/access/open-session.ts";
import { maxDeliveredBytes, maxPictureBytes } from "../../src/dashboard/forms/uploads.ts";
import { day as linkDay, quarterHour } from "../../src/dashboard/links.ts";
import { longestPeriod, periodLengths } from "../../src/dashboard/lists/periods.ts";
import { challengeMs } from "../../src/dashboard/passkeys/challenge.ts";
import { mostTries } from "../../src/dashboard/passkeys/sign-in-page.ts";
import {
  maxImportBytes,
  maxImportRows,
} from "../../src/dashboard/screens/catalog/import/import-limits.ts";
import { lateMs } from "../../src/dashboard/screens/overview/overview-attention.ts";
import { minBase } from "../../src/dashboard/screens/overview/overview-metrics.ts";
import { dayMs, hourMs, minuteMs } from "../../src/domain/durations.ts";
import { maxRepeat } from "../../src/domain/text/pattern.ts";
import { maxRowLength } from "../../src/domain/text/row-reader.ts";
import { timeoutMs as addressMs } from "../../src/http/access/host-address.ts";
import { maxBodyBytes, maxDepth } from "../../src/http/body.ts";
import { memoryStorage } from "../../src/index.ts";
import { maxQuantity } from "../../src/operations/cart.ts";
import { maxAddresses } from "../../src/owner/addresses.ts";
import { leastAge } from "../../src/owner/archive/archive.ts";
import { maxFaults } from "../../src/owner/imports/import-products.ts";
import { rowsPerTransaction } from "../../src/owner/imports/store-rows.ts";
import { longestMs as longestStatsMs } from "../../src/owner/stats/stats.ts";
import { boughtOpenMs } from "../../src/pages/customer/bought-form.ts";
import { linkSessionSeconds } from "../../src/pages/customer/enter.ts";
import { lastMinutesMs } from "../../src/pages/parts/moments.ts";
import { maxHoldMs } from "../../src/payments/checkout/session-holds.ts";
import { callerWaitsMs, callLastsMs } from "../../src/payments/gateway/running-calls.ts";
import {
  eventBytesLifetimeMs,
  eventCursorLifetimeMs,
} from "../../src/payments/maintenance/upkeep-jobs.ts";
import { linkLifetimeMs } from "../../src/payments/renewals/pay-link.ts";
import { quietMs } from "../../src/rules/archive/stay.ts";
import { maxRowsPerStore } from "../../src/rules/catalog/catalog-writes.ts";
import { maxFacetHits } from "../../src/rules/catalog/facets.ts";
import { mostScanned } from "../../src/rules/catalog/search/product-rank.ts";
import { mostSuggested, suggestedFrom } from "../../src/rules/catalog/search/suggestions.ts";
import { keyLifetimeMs, sessionLifetimeMs } from "../../src/rules/checkout/lifetimes.ts";
import { maxOpenHolds } from "../../src/rules/checkout/session-hold.ts";
import { maxOffsetMs } from "../../src/rules/clock/test-clock.ts";
import { mostCounted } from "../../src/rules/owner/gauges.ts";
import { maxFailedAttempts } from "../../src/rules/payments/order-attempt.ts";
import { returnAfterMs } from "../../src/rules/payments/order-money.ts";
import { waitsMs } from "../../src/rules/payments/return-decisions.ts";
import { mostPlaces } from "../../src/rules/request-log/request-log.ts";
import {
  disableAfterAttempts,
  disableAfterMs,
  warnAfterMs,
} from "../../src/rules/webhooks/health.ts";
import { defaultSchedule } from "../../src/rules/webhooks/schedule.ts";
import { maxEndpoints } from "../../src/rules/webhooks/webhook-records.ts";
import { maxLostLeases } from "../../src/rules/webhooks/worker-lost.ts";
import { defaultLimits } from "../../src/startup/options/read-limits.ts";
import { readOptions, sealKeyBytes } from "../../src/startup/options/read-options.ts";
import { readDrainOptions } from "../../src/webhooks/drain/drain-options.ts";
import { firstRetryMs } from "../../src/webhooks/drain/event-work.ts";
import { longestSleepMs } from "../../src/webhooks/loop.ts";
import { leaseMs, longestRetryMs } from "../../src/webhooks/relay.ts";
import { maxSnippet } from "../../src/webhooks/send/settlement.ts";
import { readText } from "../support/markdown.ts";

const publicUrl = "https://shop.example";
const options = readOptions({ storage: memoryStorage(), publicUrl, requestLog: {} });
const drain = readDrainOptions({}, options.leaseMs);
const { renewals, requestLog } = options;
const schedule = options.scheduleMs ?? defaultSchedule;

const mebibyte = 1_048_576;
const small = "zero one two three four five six seven eight nine ten".split(" ");
const word = (count: number): string => small[count] ?? String(count);
const grouped = (count: number): string => count.toLocaleString("en");
const seconds = (ms: number): string => `${ms / 1_000} s`;
const minutes = (ms: number): string => `${ms / minuteMs} minutes`;
const hours = (ms: number): string => `${ms / hourMs} hours`;
const days = (ms: number): string => `${ms / dayMs} days`;
const listed = (parts: readonly (string | number)[]): string =>
  `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;

/** Writes a wait as the guide does. */
const wait = (ms: number): string => (ms < hourMs ? `${ms / minuteMs} min` : `${ms / hourMs} h`);
const wholeMs = schedule.reduce((sum, ms) => sum + ms, 0);
const whole = `${Math.floor(wholeMs / hourMs)} h ${(wholeMs % hourMs) / minuteMs} min`;

/** Each guide says these sentences, whose numbers are the code's own. */
const facts: Readonly<Record<string, readonly string[]>> = {
  "docs/agents.md": [
    `gives up to ${mostIds} products, or one`,
    `gives ${feedPage} products of the feed`,
    `A profile is kept for ${word(profileKept.foundMs / minuteMs)} minutes, ` +
      (profileKept.failureMs === minuteMs / 2 ? "a failure for half a minute" : "no such time"),
    `must not be older than ${word(signatureLimits.ageMs / minuteMs)} minutes`,
    `${word(schedule.length + 1)} times in ${whole}`,
  ],
  "docs/archive.md": [
    `has ended ${leastAge} months ago`,
    `was changed in the last ${days(quietMs)}`,
  ],
  "docs/checkout-page.md": [
    `An address may send ${defaultLimits.payments?.limit} payments a minute`,
    `a session takes ${word(maxFailedAttempts)} failed ones`,
    `counts down the last ${word(lastMinutesMs / minuteMs)} minutes`,
    `the limit \`coupons\` (${defaultLimits.coupons?.limit} a minute)`,
  ],
  "docs/client.md": [
    `at most ${word(mostSuggested)} products whose name`,
    `the limit of ${defaultLimits.checkout?.limit} sessions a minute`,
    `more than ${grouped(maxFacetHits)} products were found`,
    `A client address may ask ${defaultLimits.sessions?.limit} times a minute`,
  ],
  "docs/customer-page.md": [
    `for ${minutes(boughtOpenMs)} after the payment`,
    `signed in for ${linkSessionSeconds / 3_600} hours`,
  ],
  "docs/observability/README.md": [`${grouped(mostCounted)} at most`],
  "docs/scaling.md": [
    `takes longer than \`timeoutMs\` (10 s) is repeated after ${seconds(firstRetryMs)}, ` +
      `doubling up to ${seconds(longestRetryMs)}`,
    `that died go on after ${seconds(leaseMs)}`,
  ],
  "docs/search.md": [
    `${suggestedFrom} at a time. Of your hits at most ${word(mostSuggested)} are shown`,
  ],
  "docs/security.md": [
    `once and ${word(challengeMs / minuteMs)} minutes;`,
    `${mostTries.known} a minute and address`,
    `bodies ≤ ${maxBodyBytes / 1_024} KiB and ${maxDepth} levels`,
    `${maxPictureBytes / mebibyte} MiB; the host makes the name`,
  ],
  "docs/concepts.md": [`A session lives ${minutes(sessionLifetimeMs)}`],
  "docs/contract/lists.md": [
    `looks at the first ${grouped(mostScanned)} products of the list`,
    `at most ${word(mostSuggested)} are given whose name begins`,
  ],
  "docs/contract/catalog.md": [`(n at most ${maxRepeat})`],
  "docs/contract/checkout.md": [`\`quantity\` (1 to ${maxQuantity})`],
  "docs/contract/payments.md": [
    `goes back ${word(returnAfterMs / minuteMs)} minutes after it came. ` +
      `There are ${word(waitsMs.length + 1)} tries`,
    `intents of ${word(aroundMs / minuteMs)} minutes before and after`,
    `A session takes ${word(maxFailedAttempts)} failed payments`,
  ],
  "docs/contract/dashboard.md": [`An entry is kept for ${days(options.auditKeptMs)}`],
  "docs/contract/back-office.md": [`at most ${days(longestStatsMs)} after`],
  "docs/contract/operation.md": [
    `at most ${days(maxOffsetMs)} ahead of the real time`,
    `for ${days(eventCursorLifetimeMs)};`,
  ],
  "docs/contract/errors.md": [
    `A store holds at most ${maxEndpoints} endpoints, ${maxAddresses} origins, ` +
      `${maxAddresses} return URLs, ${grouped(maxRowsPerStore)} categories`,
  ],
  "docs/dashboard.md": [
    `up to ${maxImportBytes / mebibyte} MiB and ${grouped(maxImportRows)} rows`,
    `or of any ${longestPeriod} days or fewer`,
    `had ${word(minBase)} orders`,
    `- A session lasts ${sessionSeconds / 3_600} hours. Changed rights`,
    `that wait for more than ${word(lateMs / minuteMs)} minutes`,
    `of any kind, ${maxDeliveredBytes / mebibyte} MiB at most`,
    `A picture has ${maxPictureBytes / mebibyte} MiB at most`,
    `of the last ${periodLengths.slice(0, -1).join(", ")} or ${periodLengths.at(-1)} days`,
    `A link is good for ${quarterHour / 60} minutes, or for \`ttl_seconds\`, ` +
      `${linkDay === 86_400 ? "a day" : `${linkDay} s`} at most`,
    `The session that it opens lasts ${sessionSeconds / 3_600} hours`,
  ],
  "docs/embedding.md": [
    `tries again by itself, for ${lockWaitMs / 1_000} seconds at most`,
    `Above ${longestQuietWaitMs} ms you are warned`,
    `session expires (${minutes(sessionLifetimeMs)})`,
    `for at most ${hours(maxHoldMs)}`,
    `At most ${maxOpenHolds} holds of one address`,
    `limit of ${defaultLimits.checkout?.limit} sessions a minute`,
  ],
  "docs/exports.md": [
    `${rowsPerTransaction} rows are stored at a time`,
    `After ${maxFaults} of them`,
    `counts after each ${rowsPerTransaction} rows`,
  ],
  "docs/gateways.md": [
    `The buyer waits for ${seconds(callerWaitsMs)}; the call is aborted after ${seconds(callLastsMs)}`,
  ],
  "docs/import.md": [
    `ends it after the chunk of ${rowsPerTransaction}`,
    `A store has at most ${grouped(maxRowsPerStore)}:`,
    `A row has at most ${grouped(maxRowLength)} characters`,
  ],
  "docs/mail.md": [`comes again after ${seconds(firstRetryMs)}, doubling`],
  "docs/operations.md": [
    `deletes idempotency keys after ${hours(keyLifetimeMs)}`,
    `the bytes of events and attempts after ${days(eventBytesLifetimeMs)}`,
    `The audit log keeps what actors did for ${days(options.auditKeptMs)}`,
    `\`accessCacheMs\` (${seconds(options.accessCacheMs)})`,
    `\`answerCacheBytes\`, ${options.answerCacheBytes / mebibyte} MiB`,
    `above the ${seconds(addressMs)} of \`checkout.url\``,
    `waits ${usualWaits.lockMs} ms for the lock of one table`,
    `pauses for ${usualWaits.pauseMs / 2_000} to ${seconds(usualWaits.pauseMs * 1.5)}`,
    `for ${word(usualWaits.patienceMs / minuteMs)} minutes in all`,
    `\`requestTimeoutMs\` (${seconds(options.requestTimeoutMs ?? 0)},`,
    `of each store for ${hours(requestLog?.keptMs ?? 0)}`,
    `${grouped(mostPlaces)} requests and 20 MiB for each store`,
    `Keep \`sealKey\` (${sealKeyBytes} bytes)`,
  ],
  "docs/pix.md": [
    `cut at ${longestText} characters`,
    `within ${days(refundableMs)} of the Pix`,
    `of at most ${maxOpenAccounts} accounts are kept`,
    `given up after ${seconds(answerWithinMs)} without an answer`,
    `${aheadDays.least} to ${aheadDays.most} by the Banco Central's rules, ${aheadDays.usual} by default`,
    `// ${sealKeyBytes} bytes: openssl rand -base64 ${sealKeyBytes}`,
  ],
  "docs/stripe.md": [
    `after ${minutes(stripeSessionMs.least)} at the earliest`,
    `before ${Math.ceil(stripeSessionMs.most / hourMs)} hours`,
    `// ${sealKeyBytes} bytes: openssl rand -base64 ${sealKeyBytes}`,
  ],
  "docs/subscriptions.md": [
    `on the days ${listed(renewals.days)} of the period`,
    `between ${renewals.hours.from} and ${renewals.hours.to} o'clock`,
    `It is valid for ${days(linkLifetimeMs)}`,
  ],
  "docs/webhooks.md": [
    `duration, the first ${maxSnippet === 1_024 ? "KiB" : `${maxSnippet} bytes`} of the answer`,
    `keeps its deliveries for at most ${seconds(options.leaseMs)}`,
    `An endpoint has at most ${drain.perEndpointConcurrency} open requests`,
    `the next attempts follow ${listed(schedule.map(wait))} after`,
    `That is ${word(schedule.length + 1)} attempts in ${whole}`,
    `An attempt has ${seconds(drain.timeoutMs)} from`,
    `When ${word(maxLostLeases)} workers in a row vanish`,
    `without a success for ${hours(warnAfterMs)}`,
    `After ${hours(disableAfterMs)}, ${disableAfterAttempts} failed attempts`,
    `attempt logs are kept for ${days(eventBytesLifetimeMs)}`,
    `A body over ${maxBytes / mebibyte} MiB is 413`,
    `at most \`maxDurationMs\` (${seconds(drain.maxDurationMs)})`,
    `until something is due (${seconds(longestSleepMs)} at most)`,
  ],
};

/** A guide breaks its lines where it likes. */
const textOf = (file: string): string => readText(file).replace(/\s+/g, " ");

test.each(Object.entries(facts))("%s tells the numbers that hold", (file, sentences) => {
  const text = textOf(file);
  for (const sentence of sentences) expect(text).toContain(sentence);
});

test("a hundred facts of the guides are held", () => {
  expect(Object.values(facts).flat().length).toBeGreaterThanOrEqual(100);
});
