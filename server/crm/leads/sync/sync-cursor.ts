import { createHash } from 'node:crypto'
import { fail } from '#platform/fail.ts'

/** The position of a reader: the change of lead `id` at `ms`, in an epoch of the lead clock. */
export type SyncPosition = { epoch: string; ms: number; id: string }

/** The epoch before the first lead: its reader has seen nothing and can continue in any epoch. */
export const noEpoch = '00000000-0000-0000-0000-000000000000'

const version = 1
const positionPattern = /^([0-9a-f-]{36}) (\d{1,15}) ([\w-]{0,64})$/

/** Encodes a position: base64url of version, organization tag, epoch, milliseconds and id. */
export function encodeCursor(organizationId: string, { epoch, ms, id }: SyncPosition): string {
  const position = `${epoch} ${ms} ${id}`
  return Buffer.from(`${version} ${organizationTag(organizationId, position)} ${position}`).toString(
    'base64url',
  )
}

/** Decodes a cursor of the organization. Refuses VALIDATION_ERROR for anything else. */
export function decodeCursor(organizationId: string, cursor: string): SyncPosition {
  const [cursorVersion, tag, ...rest] = Buffer.from(cursor, 'base64url').toString().split(' ')
  const position = rest.join(' ')
  const [, epoch, ms, id] = positionPattern.exec(position) ?? []
  if (
    cursorVersion !== String(version) ||
    tag !== organizationTag(organizationId, position) ||
    epoch === undefined ||
    id === undefined
  )
    fail('VALIDATION_ERROR', {
      details: [{ path: 'cursor', code: 'unknown', message: 'is not a nextCursor of this list' }],
    })
  return { epoch, ms: Number(ms), id }
}

/** Not a secret: it only detects cursors of other organizations. */
function organizationTag(organizationId: string, position: string): string {
  return createHash('sha256').update(`${organizationId} ${position}`).digest('base64url').slice(0, 8)
}
