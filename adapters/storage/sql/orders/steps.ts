import { keysWanted } from "#core/rules/entitlements/key-pool.ts";
import type { OrderSnapshot } from "#core/rules/orders/order-snapshot.ts";
import type { StepStore, StepSubject } from "#core/storage/step-store.ts";
import { offsetReader } from "../access/test-offset.ts";
import { lockPools } from "../catalog/stock/key-pools.ts";
import { finishKey } from "../checkout/keys.ts";
import { auditedWrite } from "../engine/audited-write.ts";
import type { SqlEngine } from "../engine/engine.ts";
import type { QueryGenerator } from "../engine/queries.ts";
import { subscriptionLoader } from "./lock/lock-subscription.ts";
import { orderLoader, sessionLoader } from "./lock/snapshot.ts";
import { messageWriter } from "./notifications.ts";
import { removeOrder } from "./remove-order.ts";
import { decisionWriter } from "./write/changes.ts";

/** Makes the steps. Each locks, decides and writes in one transaction. */
export function sqlSteps(engine: SqlEngine): StepStore {
  const readOffset = offsetReader(engine);
  const load = subjectLoader(engine);
  const noteMessage = messageWriter(engine);
  const carryOut = decisionWriter(engine);

  return {
    step: (subject, decide) =>
      auditedWrite(engine, subject, function* () {
        // The clock is locked first, as the owner's steps lock the store first.
        const offset = yield* readOffset(subject);
        const loaded = yield* load(subject);
        const pools = yield* lockPools(engine, subject, keysWanted(subject, loaded));
        const found = { ...loaded, pools, offset };
        const decision = decide(found);

        if (decision.message) yield* noteMessage(subject, decision.message);
        if (decision.key) yield* finishKey(engine, decision.key, found.key);
        if (decision.removes && found.order)
          yield* removeOrder(engine, { ...found, order: found.order });
        return yield* carryOut(subject, found, decision);
      }),
  };
}

function subjectLoader(engine: SqlEngine) {
  const loadBySession = sessionLoader(engine);
  const loadByOrder = orderLoader(engine);
  const loadBySubscription = subscriptionLoader(engine);

  return function load(subject: StepSubject): QueryGenerator<OrderSnapshot> {
    switch (subject.on) {
      case "session":
        return loadBySession(subject);
      case "order":
        return loadByOrder(subject);
      case "subscription":
        return loadBySubscription(subject);
    }
  };
}
