import { createLargeBodies } from "../large-bodies.ts";
import { servedAt } from "../mount-paths.ts";
import { fromWeb, type Serve, splitTarget, toWeb } from "../wire.ts";
import type { NotificationContext } from "./answer-notification.ts";

/** The endpoint to which payment providers send their messages. Adapters take it like the API. */
export interface NotificationEndpoint {
  /**
   * Answers `{notificationsPath}/gateways/{id}/{live|test}` and `/pix` below it,
   * which banks append to the address that they were given. Gives null for a path
   * that is not below `{notificationsPath}/gateways`. It reads at most 1 MiB,
   * answers within 20 s, and never throws over a request
   * (docs/contract/payments.md#notifications).
   */
  readonly serve: Serve;
  /** Answers a Request with a Response. Any other path is answered with 404. */
  handler(request: Request): Promise<Response>;
}

/** Makes the endpoint. The code that answers is loaded at the first message. */
export function createNotifications(
  context: Omit<NotificationContext, "largeBodies">,
): NotificationEndpoint {
  const ctx: NotificationContext = { ...context, largeBodies: createLargeBodies() };
  const start = `${ctx.path}/gateways/`;
  const load = () => import("./answer-notification.ts");

  const serve = servedAt([ctx.path], async (request) => {
    const { path } = splitTarget(request.target);
    if (!path.startsWith(start)) return null;
    return (await load()).answerNotification(ctx, request, path.slice(start.length));
  });

  return {
    serve,
    async handler(request) {
      const wired = fromWeb(request);
      const reply = (await serve(wired)) ?? (await load()).answerUnknown(ctx, wired);
      return toWeb(reply, request.method);
    },
  };
}
