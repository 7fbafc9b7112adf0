import type { RequestOptions } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { connect, isIP, type Socket } from "node:net";
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import { type CheckedAddresses, SendFailure } from "./resolve.ts";

/** A connection is made for this origin and these checked addresses, and for nothing else. */
export interface Route {
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
  readonly checked: CheckedAddresses;
  /** Names origin and addresses: a host name that moved gets new connections. */
  readonly poolKey: string;
}

/**
 * A connection to one of several addresses has this much time. After Node's own 250
 * ms a receiver on the other side of the world would be given up for an IPv6
 * address that leads nowhere.
 */
const connectAttemptMs = 2_500;
const keepAliveProbeMs = 1_000;

/** The TLS handshake of these sockets is under way: what fails on them is a TLS error. */
const handshaking = new WeakSet<object>();

export const isHandshaking = (socket: object | null): boolean =>
  socket !== null && handshaking.has(socket);

/** Opens sockets that write only to checked addresses. */
export function createConnector(ca: string | readonly string[] | undefined) {
  const https = new HttpsAgent(); // It opens TLS connections and keeps their sessions.
  let context: SecureContext | undefined;

  function secureContext(): SecureContext {
    context ??= createSecureContext({
      minVersion: "TLSv1.2",
      ...(ca === undefined ? {} : { ca: [...rootCertificates, ...[ca].flat()] }),
    });
    return context;
  }

  function openSecure(options: { readonly host: string }, poolKey: string): Socket {
    const tls = {
      servername: isIP(options.host) ? "" : options.host,
      secureContext: secureContext(),
      rejectUnauthorized: true,
      ALPNProtocols: ["http/1.1"],
      _agentKey: poolKey,
    };
    const socket = https.createConnection({ ...options, ...tls } as RequestOptions) as Socket;
    return socket
      .once("connect", () => handshaking.add(socket))
      .once("secureConnect", () => handshaking.delete(socket));
  }

  return {
    open({ secure, host, port, checked, poolKey }: Route): Socket {
      const options = {
        host,
        port,
        lookup: checked.lookup,
        autoSelectFamilyAttemptTimeout: connectAttemptMs,
        noDelay: true,
      };
      const socket = secure ? openSecure(options, poolKey) : connect(options);

      // Nothing is written unless the connected address is one of the checked ones.
      socket.once("connect", () => {
        socket.setKeepAlive(true, keepAliveProbeMs);
        const { remoteAddress } = socket; // It is undefined when the other side has gone already.
        if (remoteAddress !== undefined && !checked.addresses.includes(remoteAddress))
          socket.destroy(new SendFailure("ssrf_blocked"));
      });
      // A request on the socket reports the error; an idle socket just closes.
      socket.on("error", () => {});
      return socket;
    },
    close: (): void => https.destroy(),
  };
}
