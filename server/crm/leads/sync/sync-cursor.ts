import { createHash } from 'node:crypto'
import { fail } from '#platform/fail.ts'

/** How far a reader of changes has come: up to the lead `id` as it was at `ms`, in the life of a clock (its epoch). */
export type SyncPosition = { epoch: string; ms: number; id: string }

/** The epoch of an organization that never had a lead: who read there has seen nothing, and goes on in any epoch. */
export const noEpoch = '00000000-0000-0000-0000-000000000000'

const version = 1
const positionPattern = /^([0-9a-f-]{36}) (\d{1,15}) ([\w-]{0,64})$/

/** The place as it is handed out: base64url of version, epoch, milliseconds and id, and of what ties it to the organization. */
export function encodeCursor(organizationId: string, { epoch, ms, id }: SyncPosition): string {
  const position = `${epoch} ${ms} ${id}`
  return Buffer.from(`${version} ${organizationTag(organizationId, position)} ${position}`).toString(
    'base64url',
  )
}

/** The place of a cursor that the organization was handed out. Refuses anything else. */
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
      details: [{ path: 'cursor', code: 'unknown', message: 'is no nextCursor of this list' }],
    })
  return { epoch, ms: Number(ms), id }
}

/** No secret: it only keeps a cursor of another organization from being taken for one of ours. */
function organizationTag(organizationId: string, position: string): string {
  return createHash('sha256').update(`${organizationId} ${position}`).digest('base64url').slice(0, 8)
}
