import type { Edit } from "../edit.ts";

const engine = ["webhooks/engine.test.ts"];
const conformance = ["conformance/storages.test.ts"];
const transport = [
  "adapters/transport.test.ts",
  "adapters/transport-pinning.test.ts",
  "adapters/transport-floods.test.ts",
];

/** The drain, its transport, signatures and consumers. */
export const webhookEdits: readonly Edit[] = [
  {
    name: "a post goes to an address that was not checked",
    file: "adapters/transport/connect.ts",
    from: "!checked.addresses.includes(remoteAddress)",
    to: "checked.addresses.length === 0",
    tests: transport,
  },
  {
    name: "a certificate is not verified",
    file: "adapters/transport/connect.ts",
    from: "rejectUnauthorized: true",
    to: "rejectUnauthorized: false",
    tests: transport,
  },
  {
    name: "one public address lets a private one pass",
    file: "adapters/transport/resolve.ts",
    from: "!addresses.every((address)",
    to: "!addresses.some((address)",
    tests: transport,
  },
  {
    name: "an allowed name may resolve to a metadata address",
    file: "adapters/transport/node.ts",
    from: "(address) => !isMetadataAddress(address)",
    to: '() => !isMetadataAddress("")',
    tests: ["adapters/transport-names.test.ts"],
  },
  {
    name: "an allowed origin may be a metadata address",
    file: "src/webhooks/address-rules.ts",
    from: `if (isMetadataAddress(host)) return refuse("it is a metadata address");
    `,
    to: "",
    tests: ["webhooks/address-rules.test.ts"],
  },
  {
    name: "a redirect counts as a plain failure",
    file: "adapters/transport/send-errors.ts",
    from: "status >= 300 && status < 400",
    to: "status > 300 && status < 300",
    tests: transport,
  },
  {
    name: "idle connections are not bounded",
    file: "adapters/transport/pool.ts",
    from: "const maxIdle = 256;",
    to: "const maxIdle = 25_600;",
    tests: transport,
  },
  {
    name: "a connection is used until the second in which the receiver closes it",
    file: "adapters/transport/pool.ts",
    from: "Number(seconds) * 1_000 - beforeEndMs",
    to: "Number(seconds) * 1_000",
    tests: transport,
  },
  {
    name: "a post is not tried again after a kept connection proved dead",
    file: "adapters/transport/post.ts",
    from: "connection?.reused && !isRetry && isBroken(error)",
    to: "connection?.reused && isRetry && isBroken(error)",
    tests: ["adapters/transport-retries.test.ts"],
  },
  {
    name: "a post is tried again on a new connection too",
    file: "adapters/transport/post.ts",
    from: "connection?.reused && !isRetry && isBroken(error)",
    to: "!isRetry && isBroken(error)",
    tests: ["adapters/transport-retries.test.ts"],
  },
  {
    name: "a receiver may send thousands of interim answers",
    file: "adapters/transport/answer-limit.ts",
    from: "const maxInterimAnswers = 32;",
    to: "const maxInterimAnswers = 32_000;",
    tests: transport,
  },
  {
    name: "a host's header replaces one of the transport's",
    file: "adapters/transport/request.ts",
    from: "if (!ownHeaders.has(name.toLowerCase())) list.push(name, value);",
    to: "if (!ownHeaders.has(name)) list.push(name, value);",
    tests: transport,
  },
  {
    name: "a name is resolved anew only after eight minutes",
    file: "adapters/transport/resolve.ts",
    from: "const keepMs = 5_000;",
    to: "const keepMs = 500_000;",
    tests: [...transport, "adapters/transport-names.test.ts"],
  },
  {
    name: "a shortage behind several addresses counts against the receiver",
    file: "src/webhooks/local-shortage.ts",
    from: "Array.isArray(errors) && errors.some(isLocalShortage)",
    to: "Array.isArray(errors) && errors.every(isLocalShortage)",
    tests: ["webhooks/shortage.test.ts"],
  },
  {
    name: "a shortage of this process is an attempt of the delivery",
    file: "src/webhooks/sender.ts",
    from: `if (sent.error === "local_shortage") return "shortage";`,
    to: "",
    tests: [...engine, ...conformance],
  },
  {
    name: "a send that a shortage gave back still counts as attempted",
    file: "src/webhooks/sender.ts",
    from: "          counts.attempted -= 1;\n",
    to: "",
    tests: [...engine, ...conformance],
  },
  {
    name: "a round of claims ends only when a claim left nothing behind",
    file: "src/webhooks/claim-round.ts",
    from: `left_behind === "nothing" || this.#hasPassedStart(from)`,
    to: `left_behind === "nothing"`,
    tests: ["webhooks/claim-round.test.ts", ...conformance],
    isEndless: true,
  },
  {
    name: "a drain without due work claims for ever",
    file: "src/webhooks/drain-run.ts",
    from: `      this.#budget.stop("idle");
`,
    to: "",
    tests: engine,
    isEndless: true,
  },
  {
    name: "a late delivery is sent although its lease is about to end",
    file: "src/webhooks/sender.ts",
    from: "if (leased.start_by < ctx.now()) giveBack(leased);",
    to: "if (leased.start_by < 0) giveBack(leased);",
    tests: [...engine],
  },
  {
    name: "what another process changed is obeyed after ten seconds",
    file: "src/webhooks/destinations.ts",
    from: "const maxAgeMs = 1_000;",
    to: "const maxAgeMs = 10_000;",
    tests: conformance,
  },
  {
    name: "an endpoint that another process deleted still gets its backlog",
    file: "src/webhooks/destinations.ts",
    from: "for (const id of ids.filter(isGone)) endpointGone(id);",
    to: "",
    tests: conformance,
  },
  {
    name: "outcomes are written once, whatever the storage says",
    file: "src/webhooks/settlement-batches.ts",
    from: "if (tries >= maxTries) return null;",
    to: "return null;",
    tests: [...engine, "webhooks/batches.test.ts"],
  },
  {
    name: "outcomes are tried three times as often",
    file: "src/webhooks/settlement-batches.ts",
    from: "if (tries >= maxTries) return null;",
    to: "if (tries >= 3 * maxTries) return null;",
    tests: [...engine, "webhooks/batches.test.ts"],
  },
  {
    name: "what a lost node could not write is not tried again",
    file: "src/webhooks/settlement-batches.ts",
    from: "if (unwritten.length > 0) retryLater(unwritten);",
    to: "",
    tests: [...engine, "webhooks/batches.test.ts"],
  },
  {
    name: "the error of a socket that fails at once is not known",
    file: "adapters/transport/post.ts",
    from: "const error = connection?.error ?? reported;",
    to: "const error = reported;",
    tests: ["adapters/transport-floods.test.ts", "attack/descriptors.test.ts"],
  },
  {
    name: "the endpoints that a lost answer has disabled are not looked for",
    file: "src/webhooks/settlement-batches.ts",
    from: "wasRepeated ? await endedEndpoints(ctx, batch) : settled.disabled",
    to: "settled.disabled",
    tests: ["webhooks/interrupted-disabling.test.ts"],
  },
  {
    name: "a failed skip writes the outcomes again",
    file: "src/webhooks/settlement-batches.ts",
    from: `      await skipAll(ctx, settlement?.store_id ?? "", id);
    }
  } catch (error) {
`,
    to: `      await skipAll(ctx, settlement?.store_id ?? "", id);
    }
  } catch (error) {
    await settle(ctx, batch, { onSettled, isRetry });
`,
    tests: ["webhooks/interrupted-disabling.test.ts"],
  },
  {
    name: "a slow endpoint keeps all of its slots",
    file: "src/webhooks/endpoint-queue.ts",
    from: `if (end === "timeout") this.#isSlow = true;`,
    to: "",
    tests: [...engine, "webhooks/queues.test.ts"],
  },
  {
    name: "endpoints do not take turns",
    file: "src/webhooks/endpoint-queues.ts",
    from: "    this.#readyServed.delete(queue); // it has had its turn\n",
    to: "",
    tests: [...engine, "webhooks/queues.test.ts"],
  },
  {
    name: "an expired secret still signs",
    file: "src/webhooks/send.ts",
    from: "expires_at === null || expires_at > started_at",
    to: "expires_at === null || expires_at > 0",
    tests: ["webhooks/send.test.ts"],
  },
  {
    name: "a delivery's signature has the time of its event",
    file: "src/webhooks/send.ts",
    from: "Math.floor(started_at / 1_000)",
    to: "Math.ceil(started_at / 1_000)",
    tests: ["webhooks/send.test.ts"],
  },
  {
    name: "the number of the attempt counts from zero",
    file: "src/webhooks/sender.ts",
    from: "attempt: delivery.attempts + 1",
    to: "attempt: delivery.attempts",
    tests: engine,
  },
  {
    name: "the next try is that of the attempt before",
    file: "src/webhooks/settlement.ts",
    from: "delivery.failures + 1",
    to: "delivery.failures",
    tests: engine,
  },
  {
    name: "a signature from the future is accepted",
    file: "src/webhooks/verify.ts",
    from: `  if (timestamp - now > tolerance) return refuse("timestamp_too_new");
`,
    to: "",
    tests: ["webhooks/signature.test.ts"],
  },
  {
    name: "a signature without a time of its own is judged by any of its times",
    file: "src/webhooks/verify.ts",
    from: "stamp += part; // two",
    to: "stamp = part; // two",
    tests: ["webhooks/signature.test.ts", "webhooks/vectors.test.ts"],
  },
  {
    name: "a consumer that failed once waits longer each time it succeeds",
    file: "src/webhooks/event-work.ts",
    from: "failures = work.failures + 1;",
    to: "failures = work.failures;",
    tests: ["payments/consume-events.test.ts"],
  },
  {
    name: "a consumer handles an event whose lease it has lost",
    file: "src/webhooks/event-work.ts",
    from: "if (!(await advance())) return;",
    to: "await advance();",
    tests: ["payments/consume-events.test.ts"],
  },
];
