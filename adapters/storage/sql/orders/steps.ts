import type { Hold, HoldRelease } from "../../../../src/rules/hold-commands.ts";
import type { Decision } from "../../../../src/rules/order-changes.ts";
import { decideClosing, decideFailing } from "../../../../src/rules/order-closing.ts";
import type {
  Closing,
  Completion,
  PaymentApplied,
  Submission,
} from "../../../../src/rules/order-commands.ts";
import { decideCompletion } from "../../../../src/rules/order-completion.ts";
import { decidePayment } from "../../../../src/rules/order-payment.ts";
import type { OrderSnapshot } from "../../../../src/rules/order-snapshot.ts";
import { decideSubmission } from "../../../../src/rules/order-submission.ts";
import { decideReturn, decideReturnResult } from "../../../../src/rules/payment-return.ts";
import type { Partition } from "../../../../src/rules/records.ts";
import { decideHold, decideHoldRelease } from "../../../../src/rules/session-hold.ts";
import type { OrderStore } from "../../../../src/storage/order-store.ts";
import type { SqlEngine } from "../engine/engine.ts";
import type { QueryGenerator } from "../engine/queries.ts";
import { decisionWriter } from "./changes.ts";
import { noteNotification } from "./notifications.ts";
import { orderLoader, sessionLoader, type Told } from "./snapshot.ts";

type OrderSteps = Pick<
  OrderStore,
  | "submitSession"
  | "applyPayment"
  | "completeSession"
  | "closeSession"
  | "failOrder"
  | "holdSession"
  | "releaseHold"
  | "startReturn"
  | "settleReturn"
>;

/** Makes the steps of an order. Each locks, decides and writes in one transaction. */
export function sqlOrderSteps(engine: SqlEngine): OrderSteps {
  const loadBySession = sessionLoader(engine);
  const loadByOrder = orderLoader(engine);
  const carryOut = decisionWriter(engine);

  const stepBySession = <Result>(
    command: SessionCommand,
    decide: (snapshot: OrderSnapshot) => Decision<Result>,
  ): Promise<Result> =>
    engine.write(function* (): QueryGenerator<Result> {
      const snapshot = yield* loadBySession(command, command.session_id, told(command));
      return yield* carryOut(command, snapshot, decide(snapshot));
    });
  const stepByOrder = <Result>(
    command: Partition & { readonly order_id: string },
    needs: "goods" | "history",
    decide: (snapshot: OrderSnapshot) => Decision<Result>,
  ): Promise<Result> =>
    engine.write(function* (): QueryGenerator<Result> {
      const snapshot = yield* loadByOrder(command, command.order_id, needs);
      return yield* carryOut(command, snapshot, decide(snapshot));
    });

  return {
    submitSession: (command) =>
      stepBySession(command, (snapshot) => decideSubmission(snapshot, command)),
    completeSession: (command) =>
      stepBySession(command, (snapshot) => decideCompletion(snapshot, command)),
    holdSession: (command) => stepBySession(command, (snapshot) => decideHold(snapshot, command)),
    releaseHold: (command) =>
      stepBySession(command, (snapshot) => decideHoldRelease(snapshot, command)),
    closeSession: (command) =>
      stepBySession(command, (snapshot) => decideClosing(snapshot, command)),

    applyPayment: (command) =>
      engine.write(function* (): QueryGenerator<PaymentApplied> {
        const { attempt_id, session_id, result } = command;
        const snapshot = yield* loadBySession(command, session_id, {
          buyer: null,
          new_customer_id: "",
          reference: result.payment_reference ?? result.reference,
        });
        const attempt = snapshot.attempts.find(({ id }) => id === attempt_id);
        if (!attempt) return { outcome: "unknown_attempt" };

        const isNew = yield* noteNotification(engine, attempt.gateway, command);
        return yield* carryOut(command, snapshot, decidePayment(snapshot, command, !isNew));
      }),

    failOrder: (command) =>
      stepByOrder(command, "goods", (snapshot) => decideFailing(snapshot, command)),
    startReturn: (command) =>
      stepByOrder(command, "history", (snapshot) => decideReturn(snapshot, command)),
    settleReturn: (command) =>
      stepByOrder(command, "history", (snapshot) => decideReturnResult(snapshot, command)),
  };
}

type SessionCommand = Submission | Completion | Closing | Hold | HoldRelease;

function told(command: SessionCommand): Told | undefined {
  if ("address" in command) {
    const { new_customer_id, address, from_source } = command;
    const judges_products = from_source === undefined;
    return { buyer: null, new_customer_id, reference: null, address, judges_products };
  }
  if (!("buyer" in command)) return undefined;

  const { buyer, ids } = command;
  const named = { buyer, new_customer_id: ids.customer };
  if ("reference" in command) return { ...named, reference: command.reference };
  return { ...named, reference: null, judges_products: command.from_source === undefined };
}
