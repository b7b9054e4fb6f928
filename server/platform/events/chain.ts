import { createHash } from 'node:crypto'

/** What the hash of an audit row covers: all of it, with its place. Times are ISO 8601 with milliseconds. */
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
  /** What the operation says of itself besides; null: nothing. */
  detail?: unknown
  at: string
}
export type AuditRow = AuditContent & { hash: string }

/** A place in a chain: the last row's number and hash. `chainStart` is the place before the first row. */
export type ChainPosition = { seq: number; hash: string }
export const chainStart: ChainPosition = { seq: 0, hash: '' }

export type ChainVerdict =
  | { isWhole: true; end: ChainPosition }
  /** `seq` is the first place that is not as it was written. */
  | { isWhole: false; seq: number; fault: 'row missing' | 'row out of place' | 'row altered' | 'end missing' }

/** JSON with the keys of every object in order and no spaces: equal content gives equal bytes. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null)
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join(',')}}`
}

/**
 * SHA-256 in hex over the canonical JSON of the content followed by the hash of the row before it. Where there is no
 * detail it is left out: rows from before there could be one keep their hashes.
 */
export function chainHash({ detail, ...content }: AuditContent, previousHash: string): string {
  const covered = { ...content, detail: detail ?? undefined }
  return createHash('sha256').update(canonicalJson(covered)).update(previousHash).digest('hex')
}

/**
 * Checks audit rows of one organization in the order in which they were read. `start` is the end of what was
 * checked before; `head` is what relay_head says the end must be, without which a cut-off end cannot be seen.
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
