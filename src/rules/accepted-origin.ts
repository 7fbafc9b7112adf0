import type { AccessRecord } from "./records.ts";

/** A page on the developer's own machine, whatever its port. */
const localOrigin = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/** Whether a browser's page of this origin may use the key. */
export const isAcceptedOrigin = ({ key, store, origins }: AccessRecord, origin: string): boolean =>
  origins.includes(origin) ||
  (store.localhost_origins === true && !key.livemode && localOrigin.test(origin));

/** Whether the origin would be accepted if the store allowed test keys on localhost. */
export const isRefusedLocalTest = ({ key }: AccessRecord, origin: string): boolean =>
  !key.livemode && localOrigin.test(origin);
