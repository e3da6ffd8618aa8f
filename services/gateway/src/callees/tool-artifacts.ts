import type { ToolContent } from "../tools/index.ts";

/** What a result holds beside text, kept with the run that has called. */
export type Artifact = { id: string; contentType: string /** Base64. */; data: string; bytes: number };

/** Artifacts of one result. */
const MOST = 8;

/**
 * A result as text, with a reference in the place of everything that is none: a model cannot read it.
 * @param key of the call, of which the artifacts have their ids
 * @param room bytes of artifacts that may be kept
 */
export function readContent(
  content: readonly ToolContent[],
  key: string,
  room: number,
): { text: string; artifacts: readonly Artifact[] } {
  const artifacts: Artifact[] = [];
  let left = room;
  const keep = (contentType: string, data: string): string => {
    const bytes = Buffer.byteLength(data, "base64");
    if (artifacts.length >= MOST || bytes > left)
      return `[${contentType}, ${bytes} bytes: too large to keep]`;
    left -= bytes;
    const id = `${key}.${artifacts.length + 1}`;
    artifacts.push({ id, contentType, data, bytes });
    return `[${contentType}, ${bytes} bytes: artifact ${id}]`;
  };
  const texts = content.map((one) => {
    switch (one.type) {
      case "text":
        return one.text;
      case "resource":
        return one.text ?? keep(one.mimeType, one.blob ?? "");
      case "link":
        return `[${one.name}: ${one.uri}${one.unread === undefined ? "" : `, not read: ${one.unread}`}]`;
      case "image":
      case "audio":
        return keep(one.mimeType, one.data);
      default:
        return one satisfies never;
    }
  });
  return { text: texts.join("\n"), artifacts };
}
