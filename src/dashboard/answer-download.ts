import { exportReply } from "../http/replies/export-reply.ts";
import type { WireReply, WireRequest } from "../http/wire.ts";
import { may } from "./access/access.ts";
import { messageReply } from "./frame/message-page.ts";
import type { DashboardParts } from "./frame/parts.ts";
import { downloadReply } from "./replies.ts";
import type { Download, StoreVisit } from "./screen.ts";

/**
 * Says whether a person or a script of the dashboard's own pages asks for a file (W3C Fetch
 * Metadata). A picture, a frame or another site's script would fetch it under the name of whoever
 * looks at the page. Old browsers and programs do not say what they want it for.
 */
function isAskedFor(request: WireRequest): boolean {
  const site = request.header("sec-fetch-site");
  const dest = request.header("sec-fetch-dest");
  if (dest === "document") return true;
  return (
    (dest === undefined || dest === "empty") &&
    (site === undefined || site === "same-origin" || site === "none")
  );
}

/**
 * Answers with a file. It checks the request before the first part of the file is sent.
 * HEAD gets the headers alone: nobody has taken the records, so `reader`, which leaves no
 * entry in the audit log, opens the file.
 */
export async function answerDownload(
  visit: StoreVisit,
  download: Download,
  reader: DashboardParts,
): Promise<WireReply> {
  const { parts, settings, language, access, request } = visit;
  if (!may(access, download.action)) return messageReply(settings, language, "forbidden");
  if (request.method === "POST") return messageReply(settings, language, "method_not_allowed");
  if (!isAskedFor(request)) return messageReply(settings, language, "foreign_download");

  const isHead = request.method === "HEAD";
  const file = await download.open(isHead ? { ...visit, parts: reader } : visit);
  const reply = downloadReply(exportReply(file, (error) => parts.onError(error, "dashboard")));
  return isHead ? { ...reply, body: null } : reply;
}
