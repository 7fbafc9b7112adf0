import type { Edit } from "../edit.ts";

/** The services around the rules: gateways, tokens, maintenance, the owner. */
export const paymentEdits: readonly Edit[] = [
  {
    name: "a refused reservation of the host's catalog is not released",
    file: "src/payments/submit-checkout.ts",
    from: `    if (submitted.outcome !== "submitted") await reserved.release();\n`,
    to: "",
    tests: ["payments/reservations.test.ts"],
  },
  {
    name: "a hold is moved here although the host's catalog has refused it",
    file: "src/payments/session-holds.ts",
    from: `  if (known && ctx.now() < found.session.expires_at) await reserveOrFail(ctx, found, wanted);\n`,
    to: "",
    tests: ["payments/lost-reservations.test.ts"],
    cases: "on memory",
  },
  {
    name: "a reservation counts as settled although the host's catalog failed",
    file: "src/payments/context.ts",
    from: `    await ctx.storage.orders.settleReservation({ store_id, livemode }, order_id);
  } catch (error) {
    ctx.onError(error, "catalog");
  }`,
    to: `  } catch (error) {
    ctx.onError(error, "catalog");
  }
  await ctx.storage.orders.settleReservation({ store_id, livemode }, order_id);`,
    tests: ["payments/reservations.test.ts"],
  },
  {
    name: "a token of the other mode is accepted",
    file: "src/payments/buyer-tokens.ts",
    from: `payload["livemode"] === partition.livemode`,
    to: `payload["livemode"] !== undefined`,
    tests: ["http/tenants.test.ts"],
  },
  {
    name: "a token brings its own key",
    file: "src/payments/buyer-tokens.ts",
    from: "!key || key.alg !== header.alg || bringsKey",
    to: "!key || key.alg !== header.alg",
    tests: ["http/tokens.test.ts"],
  },
  {
    name: "a token may live for a week",
    file: "src/payments/buyer-tokens.ts",
    from: "isFromFuture || exp - iat > maxLifetimeSeconds",
    to: "isFromFuture",
    tests: ["http/tokens.test.ts"],
  },
  {
    name: "a token of a provider is good for every store",
    file: "src/payments/remote-tokens.ts",
    from: "    mapped.store_id === partition.store_id &&\n",
    to: "",
    tests: ["http/remote-tokens.test.ts"],
  },
  {
    name: "a token of a provider is good for both modes",
    file: "src/payments/remote-tokens.ts",
    from: "    mapped.livemode === partition.livemode &&\n",
    to: "",
    tests: ["http/remote-tokens.test.ts"],
  },
  {
    name: "a method above its greatest amount is offered",
    file: "src/payments/payment-choice.ts",
    from: "session.amount_total <= method.max_amount",
    to: "session.amount_total >= 0",
    tests: ["payments/choice.test.ts"],
  },
  {
    name: "a method of exactly its least amount is not offered",
    file: "src/payments/payment-choice.ts",
    from: "session.amount_total >= method.min_amount",
    to: "session.amount_total > method.min_amount",
    tests: ["payments/choice.test.ts"],
  },
  {
    name: "a disabled method can pay",
    file: "src/payments/payment-choice.ts",
    from: "      method.enabled &&\n",
    to: "",
    tests: ["payments/choice.test.ts"],
  },
  {
    name: "the gateway of the other mode is asked",
    file: "src/payments/gateway-calls.ts",
    from: "gateway.id === id && gateway.livemode === livemode",
    to: "gateway.id === id",
    tests: ["payments/choice.test.ts", "payments/money.test.ts"],
  },
  {
    name: "a lost call is charged although the process has slept",
    file: "src/payments/charge.ts",
    from: "if (ctx.now() - attempt.created_at > chargeBeginsWithinMs) return noteLoss(ctx, attempt);",
    to: "",
    tests: ["payments/doubt.test.ts", "payments/running-calls.test.ts"],
  },
  {
    name: "a payment that the provider may still receive counts as failed",
    file: "src/payments/cancel-payment.ts",
    from: "if (reference !== null || mayStillArrive(ctx, attempt)) return null;",
    to: "if (reference !== null) return null;",
    tests: ["payments/doubt.test.ts", "payments/gateway-faults.test.ts", "payments/switch.test.ts"],
  },
  {
    name: "one row that fails ends the whole run of maintenance",
    file: "src/payments/maintenance-jobs.ts",
    from: `await job.handle(row).catch((error: unknown) => ctx.onError(error, "maintenance"));`,
    to: "await job.handle(row);",
    tests: ["payments/maintenance.test.ts", "payments/maintenance-faults.test.ts"],
  },
  {
    name: "one question that fails ends the whole run of maintenance",
    file: "src/payments/maintenance-jobs.ts",
    from: `    job.handle(row).catch((error: unknown) => ctx.onError(error, "maintenance"));

  const chunk`,
    to: "    job.handle(row);\n\n  const chunk",
    tests: ["payments/maintenance.test.ts", "payments/maintenance-faults.test.ts"],
  },
  {
    name: "events are pruned after three days",
    file: "src/payments/maintenance-jobs.ts",
    from: "const eventBytesLifetimeMs = 30 * dayMs;",
    to: "const eventBytesLifetimeMs = 3 * dayMs;",
    tests: ["payments/maintenance.test.ts", "payments/maintenance-faults.test.ts"],
  },
  {
    name: "pruned events are forgotten with their bytes",
    file: "src/payments/maintenance-jobs.ts",
    from: "const eventCursorLifetimeMs = 400 * dayMs;",
    to: "const eventCursorLifetimeMs = 40 * dayMs;",
    tests: ["payments/maintenance.test.ts", "payments/maintenance-faults.test.ts"],
  },
  {
    name: "maintenance settles no reservation of a finished order",
    file: "src/payments/maintenance-jobs.ts",
    from: "    await settleExternalStock(ctx, order);\n    counts.reservations_settled += 1;",
    to: "    counts.reservations_settled += 1;",
    tests: ["payments/reservations.test.ts", "payments/maintenance-faults.test.ts"],
  },
  {
    name: "a provider is asked twenty questions a second",
    file: "src/payments/question-lanes.ts",
    from: "const questionsPerSecond = 10;",
    to: "const questionsPerSecond = 20;",
    tests: ["payments/maintenance.test.ts"],
  },
  {
    name: "a provider is asked nine questions at once",
    file: "src/payments/question-lanes.ts",
    from: "const questionsAtOnce = 8;",
    to: "const questionsAtOnce = 9;",
    tests: ["payments/maintenance.test.ts"],
  },
  {
    name: "a refund is sent again although another process took its place",
    file: "src/payments/refund-pursuit.ts",
    from: `noted.refund.state === "pending" && noted.refund.key_attempt === refund.key_attempt`,
    to: `noted.refund.state !== "succeeded"`,
    tests: ["payments/refunds.test.ts"],
  },
  {
    name: "a refund's amount is whatever number the gateway answers",
    file: "src/payments/read-refund.ts",
    from: `Number.isSafeInteger(amount) && Number(amount) > 0 ? Number(amount) : null`,
    to: 'typeof amount === "number" ? amount : null',
    tests: ["payments/refund-answers.test.ts"],
  },
  {
    name: "a refused refund or return is repeated under its old key",
    file: "src/rules/refund-schedule.ts",
    from: "key_attempt === 0 ? id : `${id}.${key_attempt}`;",
    to: "key_attempt === 0 ? id : id;",
    tests: ["payments/refunds.test.ts"],
  },
  {
    name: "a message about an unknown payment of ours is never sent again",
    file: "src/payments/unknown-payment.ts",
    from: "now - madeAt < writtenWithinMs",
    to: "now - madeAt < 0",
    tests: ["payments/unknown-payment.test.ts"],
  },
  {
    name: "an owner's long list of deliveries is recovered in part",
    file: "src/owner/endpoint-recovery.ts",
    from: "} while (before !== null);",
    to: "} while (before !== null && recovered === 0);",
    tests: ["owner/recovery.test.ts"],
  },
];
