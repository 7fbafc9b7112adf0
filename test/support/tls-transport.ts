import { nodeTransport } from "vitrine/transport";

/** A transport whose allowed target resolves to this machine: the name's DNS lies beyond it. */
export const tlsTransport = (target: string, ca?: string) =>
  nodeTransport({
    allowTargets: [target],
    warn: () => {},
    resolveAllowed: async () => ["127.0.0.1"],
    ...(ca === undefined ? {} : { ca }),
  });
