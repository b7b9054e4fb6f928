import { isUtf8 } from 'node:buffer'

/**
 * What kind of file it is, from its first bytes; of text, from the ending of its name. The sender is never asked.
 * `size` tells whether the head is all of it.
 */
export async function detectContentType(head: Buffer, size: number, filename: string): Promise<string> {
  const isText = head.length > 0 && isPlainText(head, size > head.length)
  // loaded when the first file comes: it knows more formats than most processes ever see
  const { fileTypeFromBuffer } = await import('file-type')
  const detected = await fileTypeFromBuffer(head)
  // two letters of a text are easily the mark of some format
  if (detected && (!isText || formatsThatLookLikeText.has(detected.mime))) return detected.mime
  if (!isText && head.length > 0) return 'application/octet-stream'
  const extension = /\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? ''
  return textTypes[extension] ?? 'text/plain'
}

const formatsThatLookLikeText = new Set(['application/pdf', 'application/rtf', 'application/postscript'])

const textTypes: Record<string, string> = {
  css: 'text/css',
  csv: 'text/csv',
  htm: 'text/html',
  html: 'text/html',
  ics: 'text/calendar',
  js: 'text/javascript',
  json: 'application/json',
  jsonl: 'application/jsonl',
  md: 'text/markdown',
  mjs: 'text/javascript',
  py: 'text/x-python',
  sh: 'application/x-sh',
  sql: 'application/sql',
  svg: 'image/svg+xml',
  toml: 'application/toml',
  ts: 'text/typescript',
  tsv: 'text/tab-separated-values',
  vcf: 'text/vcard',
  xhtml: 'application/xhtml+xml',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
}

/** UTF-8 without control characters; a head may end within a character. */
function isPlainText(head: Buffer, isCut: boolean): boolean {
  for (const byte of head) if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) return false
  if (isUtf8(head)) return true
  return isCut && [1, 2, 3].some(cut => isUtf8(head.subarray(0, head.length - cut)))
}
