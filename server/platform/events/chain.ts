import { createHash } from 'node:crypto'

/**
 * The content that the hash of an audit row covers, including its position. Times are ISO 8601 with
 * milliseconds.
 */
export type AuditContent = {
  organizationId: string
  seq: number
  id: string
  actorId: string | null
  auth: string
  ip: string
  client: string
  requestId: string
  operation: string
  subject: string | null
  changed: string[]
  /** Further details of the operation; null: none. */
  detail?: unknown
  at: string
}
export type AuditRow = AuditContent & { hash: string }

/**
 * A position in a chain: number and hash of the last row. `chainStart` is the position before the first row.
 */
export type ChainPosition = { seq: number; hash: string }
export const chainStart: ChainPosition = { seq: 0, hash: '' }

export type ChainVerdict =
  | { isWhole: true; end: ChainPosition }
  /** `seq` is the first position that does not match. */
  | { isWhole: false; seq: number; fault: 'row missing' | 'row out of place' | 'row altered' | 'end missing' }

/** JSON with sorted keys and no spaces, so that equal content has equal bytes. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null)
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join(',')}}`
}

/**
 * SHA-256 in hex over the canonical JSON of the content and the previous hash. An absent detail is left out,
 * so that rows from before details existed keep their hashes.
 */
export function chainHash({ detail, ...content }: AuditContent, previousHash: string): string {
  const covered = { ...content, detail: detail ?? undefined }
  return createHash('sha256').update(canonicalJson(covered)).update(previousHash).digest('hex')
}

/**
 * Checks audit rows of one organization in the order in which they were read. `start` is the end of the rows
 * that were checked before. `head` is the end according to relay_head, without which a missing end goes
 * unnoticed.
 */
export function verifyChain(
  rows: Iterable<AuditRow>,
  start: ChainPosition = chainStart,
  head?: ChainPosition,
): ChainVerdict {
  let end = start
  for (const { hash, ...content } of rows) {
    const seq = end.seq + 1
    if (content.seq > seq) return { isWhole: false, seq, fault: 'row missing' }
    if (content.seq < seq) return { isWhole: false, seq, fault: 'row out of place' }
    if (hash !== chainHash(content, end.hash)) return { isWhole: false, seq, fault: 'row altered' }
    end = { seq, hash }
  }
  if (head && (head.seq !== end.seq || head.hash !== end.hash))
    return { isWhole: false, seq: end.seq + 1, fault: 'end missing' }
  return { isWhole: true, end }
}
