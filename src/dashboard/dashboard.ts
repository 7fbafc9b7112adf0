import { lazyService } from "../domain/async/lazy-service.ts";
import { servedAt } from "../http/mount-paths.ts";
import { webHandler } from "../http/web-handler.ts";
import { type Serve, splitTarget } from "../http/wire.ts";
import { partsOf } from "./frame/parts.ts";
import type { DashboardLinks } from "./links.ts";
import { type DashboardOptions, readDashboardOptions } from "./options.ts";
import type { DashboardPeople } from "./people.ts";

export { type DashboardAction, dashboardActions } from "../owner/actions.ts";
export type { DashboardAccess, Rights } from "./access/access.ts";
export type { PictureType } from "./forms/picture-type.ts";
export type { DashboardFile, DashboardUpload, DashboardUploads } from "./forms/uploads.ts";
export type {
  DashboardLink,
  DashboardLinks,
  LinkEndInput,
  LinkInput,
  LinkListInput,
  LinkMaker,
  WaitingLink,
} from "./links.ts";
export type { DashboardOptions } from "./options.ts";
export type { DashboardPeople } from "./people.ts";
export type {
  DashboardPerson,
  Invitation,
  InviteInput,
  Passkey,
  PersonChange,
  PersonEnd,
  PersonLink,
  PersonName,
} from "./people-input.ts";

/** The owner's back office. Mount it in the host. */
export interface Dashboard {
  /** Answers a request. Gives null when its path is not below `path`. */
  readonly serve: Serve;
  /** Answers a Request with a Response. Any other path gives 404. */
  handler(request: Request): Promise<Response>;
  readonly links: DashboardLinks;
  /** Keeps the people who were invited, where the option `people` is on. */
  readonly people: DashboardPeople;
}

/**
 * Makes the back office of a storefront's stores. Mount it like the API. It shows
 * nothing to a person whom neither `authorize` nor a link nor a passkey lets in. It throws
 * `invalid_option` when an option is wrong. Its code is loaded at its first
 * request.
 */
export function createDashboard<Native = unknown>(
  storefront: object,
  options: DashboardOptions<Native>,
): Dashboard {
  const parts = partsOf(storefront);
  const settings = readDashboardOptions(options, parts);

  let loading: Promise<Serve> | undefined;
  const serve = servedAt([settings.path], async (request) => {
    const { path } = splitTarget(request.target);
    if (path !== settings.path && !path.startsWith(`${settings.path}/`)) return null;

    loading ??= import("./access/service.ts").then((module) =>
      module.createService(parts, settings),
    );
    return (await loading)(request);
  });

  const handle = webHandler(serve, () => ({ status: 404, headers: {}, body: null }));
  return {
    serve,
    handler: (request) => handle(request),
    links: lazyService<DashboardLinks>(async () =>
      (await import("./links.ts")).createLinks(parts, settings),
    ),
    people: lazyService<DashboardPeople>(async () =>
      (await import("./people.ts")).createPeople(parts, settings),
    ),
  };
}
