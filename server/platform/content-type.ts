import { isUtf8 } from 'node:buffer'

/**
 * Detects the content type of a file from its first bytes; of a text, from its file extension. The type that the client
 * sent is ignored. `size` is the size of the whole file, which `head` may not contain.
 */
export async function detectContentType(head: Buffer, size: number, filename: string): Promise<string> {
  const isText = head.length > 0 && isPlainText(head, size > head.length)
  // Loaded on first use, because most processes never need it
  const { fileTypeFromBuffer } = await import('file-type')
  const detected = await fileTypeFromBuffer(head)
  // The first letters of a text may happen to be the signature of a binary format
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

/** Whether the head is UTF-8 without control characters. A cut head may end inside a character. */
function isPlainText(head: Buffer, isCut: boolean): boolean {
  for (const byte of head) if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) return false
  if (isUtf8(head)) return true
  return isCut && [1, 2, 3].some(cut => isUtf8(head.subarray(0, head.length - cut)))
}
