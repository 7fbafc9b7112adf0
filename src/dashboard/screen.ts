import type { Html } from "../contract/html.ts";
import type { WireRequest } from "../http/wire.ts";
import type { DashboardAction } from "../owner/actions.ts";
import type { OwnerExport } from "../owner/exports/open-export.ts";
import type { OwnerStore } from "../owner/stores.ts";
import type { AuditSigner } from "../rules/audit/audit-records.ts";
import type { PersonRecord } from "../rules/owner/dashboard-records.ts";
import type { Partition } from "../rules/records.ts";
import type { DashboardRef } from "../storage/dashboard-store.ts";
import type { DashboardAccess } from "./access/access.ts";
import type { DashboardUploads } from "./forms/uploads.ts";
import type { DashboardParts } from "./frame/parts.ts";
import type { Language, TextName } from "./language.ts";
import type { DashboardSettings } from "./options.ts";

/** A request of someone who may make it. */
export interface Visit {
  readonly parts: DashboardParts;
  readonly settings: DashboardSettings;
  readonly request: WireRequest;
  readonly language: Language;
  readonly access: DashboardAccess;
  /** The audit log names the visitor by it. */
  readonly signer: AuditSigner;
  /** A link or a passkey has opened this session. Null when the host knows who this is. */
  readonly session: DashboardRef | null;
  /** Whoever was invited to the list of people. Null for everyone else. */
  readonly person: PersonRecord | null;
  /**
   * The session or the person in which links are made now, and with which they end. Null for
   * someone whom the host knows.
   */
  readonly maker: DashboardRef | null;
  /** The value of the browser's form cookie. */
  readonly cookie: string;
  /** What stands in the braces of the screen's path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The browser sees the page at this path. */
  readonly path: string;
  /** The page's forms carry this token. */
  readonly token: string;
  /** Seals a text for this browser, actor and path, so that no other site can write it. */
  seal(text: string): Promise<string>;
  /** The files that the sent form carries, by the names of their fields. */
  readonly files: ReadonlyMap<string, File>;
}

/** A request for a page of a store that is within reach. */
export interface StoreVisit extends Visit {
  readonly store: OwnerStore;
  readonly livemode: boolean;
}

/** Gives the store and mode of a visit, as the owner's services name them. */
export const partitionOf = ({ store, livemode }: StoreVisit): Partition => ({
  store_id: store.id,
  livemode,
});

/** Gives the time of the visited mode: the clock of the test mode may be ahead of the real one. */
export const timeOf = async ({ parts, store, livemode }: StoreVisit): Promise<number> =>
  livemode ? parts.now() : Date.parse((await parts.owner.testClock.retrieve(store.id)).now);

/** One step of the way from the store to the page. */
export interface Crumb {
  readonly label: string;
  readonly address: string;
}

export interface View {
  readonly title: string;
  readonly body: Html;
  readonly crumbs?: readonly Crumb[];
  /** The one button beside the title. */
  readonly primary?: Html | null;
  /** The line below the title. */
  readonly lead?: string | Html;
  /** Why the form could not be carried out. */
  readonly alert?: string;
  /** The parts that follow the body while the work goes on. They never throw. */
  readonly parts?: AsyncIterable<Html>;
}

/** A form that was sent leads to one of these results. */
export type FormResult =
  /** The form is done: the browser goes to an address, where a message says so. */
  | {
      readonly kind: "done";
      readonly address: string;
      readonly message: TextName | null;
      /** The `Set-Cookie` header of the answer. */
      readonly cookie?: string;
    }
  /** The answer itself shows something: faults of the form, or a secret that is shown once. */
  | { readonly kind: "view"; readonly view: View; readonly status: number }
  /** A file to be saved. The page of the form stays open. */
  | { readonly kind: "file"; readonly file: OwnerExport };

export interface ScreenForm<V extends Visit = StoreVisit> {
  /** The right that is needed. Null when none beyond the screen's is needed. */
  readonly action: DashboardAction | null;
  /** True for a form that stores nothing and only leads to a question: it may be sent again. */
  readonly isQuestion?: boolean;
  send(visit: V, fields: URLSearchParams): Promise<FormResult>;
  /** Shows the form with what was typed. It is left out when nothing is typed into the form. */
  again?(visit: V, fields: URLSearchParams): Promise<View>;
}

/** The places of the menu. */
export const sections = [
  "overview",
  "orders",
  "customers",
  "subscriptions",
  "payments",
  "refunds",
  "disputes",
  "checkout_sessions",
  "products",
  "categories",
  "coupons",
  "payment_methods",
  "keys",
  "addresses",
  "webhooks",
  "deliveries",
  "events",
  "requests",
  "alerts",
  "settings",
  "people",
  "sessions",
  "audit",
] as const;
export type Section = (typeof sections)[number];

/** A screen says its path, who sees it, what it shows and what its forms do. */
export interface Screen<V extends Visit = StoreVisit> {
  /**
   * Below `/{store}/{live|test}`, such as `products/{id}`. It is empty for
   * the first screen.
   */
  readonly path: string;
  /** The screen belongs to this place of the menu. */
  readonly section: Section | null;
  /**
   * The right that is needed to see the screen. Null when everyone who reaches the store sees it.
   */
  readonly action: DashboardAction | null;
  show(visit: V): Promise<View>;
  /** Gives how many bytes a form with files may have. Without it no form takes files. */
  mostFileBytes?(uploads: DashboardUploads | null): number;
  /** The forms by the value of their field `do`. */
  readonly forms?: Readonly<Record<string, ScreenForm<V>>>;
}

/** A file of a store. A request for it changes nothing. */
export interface Download {
  /** The path is below `/{store}/{live|test}`, such as `orders/export.csv`. */
  readonly path: string;
  /** A person needs this right to get the file. */
  readonly action: DashboardAction;
  /** Throws `parameter_invalid` when the file cannot use the filters of the address. */
  open(visit: StoreVisit): Promise<OwnerExport>;
}
