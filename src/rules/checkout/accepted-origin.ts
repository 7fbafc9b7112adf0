import type { AccessRecord } from "../records.ts";

/** Matches the origin of a page on the developer's own machine, on any port. */
const localOrigin = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/** Tells whether the key may be used from the developer's own machine, and buyers sent there. */
export const takesLocalhost = ({ key, store }: AccessRecord): boolean =>
  store.localhost_origins === true && !key.livemode;

/** Tells whether a browser's page of this origin may use the key. */
export const isAcceptedOrigin = (access: AccessRecord, origin: string): boolean =>
  access.origins.includes(origin) || (takesLocalhost(access) && localOrigin.test(origin));

/** Tells whether the origin would be accepted if the store allowed test keys on localhost. */
export const isRefusedLocalTest = ({ key }: AccessRecord, origin: string): boolean =>
  !key.livemode && localOrigin.test(origin);
