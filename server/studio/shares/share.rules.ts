import { limits } from '#contract/limits.ts'
import type { Input } from '#contract/operation.ts'
import type { AccessLevel } from '#contract/studio/assets.ts'
import type { createShare, GranteeType } from '#contract/studio/shares.ts'
import { fail } from '#platform/fail.ts'

/** A person, group or department that an asset is shared with. */
export type Grantee = { type: GranteeType; id: string }

const ranks: Record<AccessLevel, number> = { READ: 1, EDIT: 2, ADMIN: 3 }

/** The access level as a number: 1 READ, 2 EDIT, 3 ADMIN, as in `AssetRow.access`. */
export function rankOf(level: AccessLevel): number {
  return ranks[level]
}

/** The distinct grantees of a body, in order. Fails with VALIDATION_ERROR unless it uses exactly one of its two forms. */
export function granteesOf(body: Input<typeof createShare>['body']): Grantee[] {
  const { granteeType, granteeId, grantees } = body
  if (grantees) {
    if (granteeType !== undefined || granteeId !== undefined)
      refuse('grantees', 'one', 'cannot be combined with granteeType and granteeId')
    const unique = new Map(grantees.map(grantee => [`${grantee.granteeType} ${grantee.granteeId}`, grantee]))
    return [...unique.values()].map(grantee => ({ type: grantee.granteeType, id: grantee.granteeId }))
  }
  if (granteeType === undefined) refuse('granteeType', 'required', 'is required without grantees')
  if (granteeId === undefined) refuse('granteeId', 'required', 'is required without grantees')
  return [{ type: granteeType, id: granteeId }]
}

/** Fails with VALIDATION_ERROR for an expiry in the past or too far in the future, by the clock of the database. */
export function assertValidExpiry({ isPast, isTooFar }: { isPast: boolean; isTooFar: boolean }): void {
  if (isPast) refuse('expiresAt', 'past', 'must be in the future')
  if (isTooFar) refuse('expiresAt', 'maximum', `must be at most ${limits.shareDays} days ahead`)
}

/** Fails with VALIDATION_ERROR if the author is among the grantees. */
export function assertNotAuthor(grantees: readonly Grantee[], asset: { author_id: string }): void {
  if (grantees.some(({ id }) => id === asset.author_id))
    refuse('granteeId', 'author', 'is the author, who has full access already')
}

function refuse(path: string, code: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}
