import { pictureUrl } from "../../input/fields.ts";
import { invalidOption } from "../../input/option-error.ts";
import { type PictureType, pictureTypeOf } from "./picture-type.ts";

/** A picture that someone has chosen in a form of the dashboard. */
export interface DashboardUpload {
  readonly store_id: string;
  /** The name of the file as the browser told it, without a path. Do not use it as a path. */
  readonly name: string;
  /** The first bytes of the picture show this type. The browser's own word is not used. */
  readonly type: PictureType;
  /** The picture has at most 5 MiB. */
  readonly body: Uint8Array;
  /** `authorize` gives this name to the person who has sent the picture. */
  readonly actor: string;
}

/** This is the host's own store for pictures of products. */
export interface DashboardUploads {
  /**
   * Stores a picture, and gives the address at which buyers see it. When it throws, the
   * form says that the picture could not be stored, and `onError` hears of it.
   */
  put(upload: DashboardUpload): { readonly url: string } | Promise<{ readonly url: string }>;
}

export const maxPictureBytes = 5 * 1_048_576;

/** A chosen file may have these faults. */
export type UploadFault = "fault_picture_type" | "fault_picture_large" | "fault_picture_failed";

interface Sender {
  readonly store_id: string;
  readonly actor: string;
  onError(error: unknown, where: string): void;
}

/** Checks a chosen file and hands it to the host. */
export async function storePicture(
  uploads: DashboardUploads,
  file: File,
  { onError, ...sender }: Sender,
): Promise<{ readonly url: string } | { readonly fault: UploadFault }> {
  if (file.size > maxPictureBytes) return { fault: "fault_picture_large" };
  const body = new Uint8Array(await file.arrayBuffer());
  const type = pictureTypeOf(body);
  if (type === null) return { fault: "fault_picture_type" };

  try {
    const stored = await uploads.put({ ...sender, name: plainName(file.name), type, body });
    const url = pictureUrl.safeParse(stored?.url);
    if (url.success) return { url: url.data };
    invalidOption("uploads.put", "must return { url }, which a product takes as a picture");
  } catch (error) {
    onError(error, "uploads.put");
    return { fault: "fault_picture_failed" };
  }
}

/**
 * Gives the last part of a name without control characters. Old browsers send whole paths. A name
 * of dots alone names a folder, so it is none.
 */
function plainName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const plain = last.replace(/\p{C}/gu, "").slice(-200);
  return /^[.\s]*$/.test(plain) ? "picture" : plain;
}
