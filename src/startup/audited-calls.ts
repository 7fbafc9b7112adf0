import type { Action } from "../owner/actions.ts";
import type { ActorServices } from "../payments/actor-services.ts";
import type { AuditSubjectType } from "../rules/audit/audit-records.ts";

/**
 * A method of a service that writes, with the action that its entry names. `about`
 * tells which of the records that a step writes the entry is about. It is the order
 * by default.
 */
export interface AuditedWrite {
  readonly action: Action;
  readonly about?: AuditSubjectType;
}

/** A method that writes, or `read` for one that is passed on as it is. */
export type AuditedMethod = AuditedWrite | "read";

type AnyMethod = (...args: never[]) => unknown;

/**
 * Every method of a service has a line. A method that is added later does not
 * compile without one.
 */
export type AuditedCalls<Service> = {
  readonly [Name in keyof Service]: Service[Name] extends AnyMethod
    ? AuditedMethod
    : AuditedCalls<Service[Name]>;
};

const session = { about: "checkout_session" } as const;
const subscription = { about: "subscription" } as const;

/** The table tells what each call of `storefront.as(actor)` writes to the audit log. */
export const auditedCalls: AuditedCalls<ActorServices> = {
  owner: {
    stores: {
      create: { action: "stores.create" },
      update: { action: "stores.update" },
      retrieve: "read",
      list: "read",
    },
    keys: {
      create: { action: "keys.create" },
      revoke: { action: "keys.revoke" },
      list: "read",
    },
    origins: {
      add: { action: "origins.add" },
      remove: { action: "origins.remove" },
      list: "read",
    },
    returnUrls: {
      add: { action: "return_urls.add" },
      remove: { action: "return_urls.remove" },
      list: "read",
    },
    products: {
      create: { action: "products.create" },
      put: { action: "products.put" },
      putMany: { action: "products.import", about: "store" },
      import: { action: "products.import", about: "store" },
      importRecords: { action: "products.import", about: "store" },
      update: { action: "products.update" },
      updateMany: { action: "products.update_many", about: "store" },
      delete: { action: "products.delete" },
      uploadKeys: { action: "products.upload_keys", about: "product" },
      countKeys: "read",
      countStock: "read",
      facets: "read",
      retrieve: "read",
      list: "read",
    },
    categories: {
      create: { action: "categories.create" },
      update: { action: "categories.update" },
      delete: { action: "categories.delete" },
      retrieve: "read",
      list: "read",
    },
    paymentMethods: {
      create: { action: "payment_methods.create" },
      update: { action: "payment_methods.update" },
      delete: { action: "payment_methods.delete" },
      retrieve: "read",
      list: "read",
    },
    coupons: {
      create: { action: "coupons.create" },
      update: { action: "coupons.update" },
      delete: { action: "coupons.delete" },
      retrieve: "read",
      list: "read",
      uses: "read",
    },
    sessions: { list: "read" },
    payments: { list: "read" },
    refunds: { list: "read" },
    disputes: { list: "read" },
    subscriptions: { list: "read", summary: "read" },
    events: { list: "read", retrieve: "read" },
    endpoints: {
      create: { action: "endpoints.create" },
      update: { action: "endpoints.update" },
      enable: { action: "endpoints.enable" },
      disable: { action: "endpoints.disable" },
      delete: { action: "endpoints.delete" },
      rotateSecret: { action: "endpoints.rotate" },
      sendTestEvent: { action: "endpoints.test" },
      recover: { action: "endpoints.recover" },
      retrieve: "read",
      list: "read",
      health: "read",
    },
    deliveries: {
      resend: { action: "deliveries.resend" },
      retrieve: "read",
      list: "read",
      attempts: "read",
    },
    alerts: { acknowledge: { action: "alerts.acknowledge" }, list: "read" },
    orders: {
      addNote: { action: "notes.create" },
      regrant: { action: "orders.regrant" },
      deactivate: { action: "orders.deactivate_license" },
      listActivations: "read",
      list: "read",
      retrieve: "read",
      timeline: "read",
      listNotes: "read",
    },
    customers: {
      pageLink: { action: "customers.page_link" },
      list: "read",
      retrieve: "read",
    },
    requests: { list: "read", retrieve: "read" },
    testClock: {
      advance: { action: "test_clock.advance", about: "store" },
      retrieve: "read",
    },
    audit: { list: "read" },
    archive: {
      move: { action: "archive.move", about: "store" },
      eraseCustomer: { action: "customers.erase" },
      find: "read",
      read: "read",
      months: "read",
    },
    stats: "read",
    sales: "read",
    export: { action: "exports", about: "store" },
    exportBooks: { action: "exports", about: "store" },
    eraseCustomer: { action: "customers.erase" },
    wipeTestData: { action: "test_data.wipe" },
  },
  orders: {
    markPaid: { action: "orders.mark_paid" },
    markFailed: { action: "orders.mark_failed" },
    refund: { action: "orders.refund" },
    returnPayment: { action: "orders.return_payment", about: "payment" },
    openDispute: { action: "disputes.open" },
    closeDispute: { action: "disputes.close" },
    retrieve: "read",
    listPayments: "read",
  },
  checkout: {
    submit: { action: "checkout.submit", ...session },
    resume: { action: "checkout.resume", ...session },
    cancel: { action: "checkout.cancel", ...session },
    hold: { action: "checkout.hold", ...session },
    complete: { action: "checkout.complete", ...session },
    expire: { action: "checkout.expire", ...session },
    handleNotification: { action: "notifications.apply" },
    view: "read",
  },
  subscriptions: {
    renew: { action: "subscriptions.renew", ...subscription },
    fail: { action: "subscriptions.fail", ...subscription },
    cancel: { action: "subscriptions.cancel", ...subscription },
    keep: { action: "subscriptions.change", ...subscription },
    pause: { action: "subscriptions.change", ...subscription },
    resume: { action: "subscriptions.change", ...subscription },
    changePrice: { action: "subscriptions.change", ...subscription },
    update: { action: "subscriptions.change", ...subscription },
    followAgreement: { action: "subscriptions.change", ...subscription },
    // The session that it makes leaves no entry, as one of the API leaves none.
    payLink: "read",
    retrieve: "read",
    list: "read",
  },
  customers: {
    issueToken: { action: "customers.issue_token" },
    revokeTokens: { action: "customers.revoke_tokens" },
  },
};
