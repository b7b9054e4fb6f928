import type { MessageFile } from '#contract/chat/shapes.ts'
import { isImage } from './file.rules.ts'
import type { FileRow } from './file.sql.ts'

/** A file, as people see it. */
export function showFile({ id, filename, content_type: contentType, size }: FileRow): MessageFile {
  return { id, filename, contentType, size, isImage: isImage(contentType) }
}
