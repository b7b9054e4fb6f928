import { limits } from '#contract/limits.ts'
import type { Input } from '#contract/operation.ts'
import type { AccessLevel } from '#contract/studio/assets.ts'
import type { createShare, GranteeType } from '#contract/studio/shares.ts'
import { fail } from '#platform/fail.ts'

/** Somebody that an asset is shared with. */
export type Grantee = { type: GranteeType; id: string }

const ranks: Record<AccessLevel, number> = { READ: 1, EDIT: 2, ADMIN: 3 }

/** The level as a number: 1 READ, 2 EDIT, 3 ADMIN, as `AssetRow.access` has it. */
export function rankOf(level: AccessLevel): number {
  return ranks[level]
}

/** Whom a body names, each once, in its order. Refuses VALIDATION_ERROR unless it takes exactly one of its two forms. */
export function granteesOf(body: Input<typeof createShare>['body']): Grantee[] {
  const { granteeType, granteeId, grantees } = body
  if (grantees) {
    if (granteeType !== undefined || granteeId !== undefined)
      refuse('grantees', 'one', 'stands alone, without granteeType and granteeId')
    const unique = new Map(grantees.map(grantee => [`${grantee.granteeType} ${grantee.granteeId}`, grantee]))
    return [...unique.values()].map(grantee => ({ type: grantee.granteeType, id: grantee.granteeId }))
  }
  if (granteeType === undefined) refuse('granteeType', 'required', 'is needed, or grantees')
  if (granteeId === undefined) refuse('granteeId', 'required', 'is needed, or grantees')
  return [{ type: granteeType, id: granteeId }]
}

/** Refuses VALIDATION_ERROR for an end that has passed or lies too far ahead, by the time of the database. */
export function assertValidExpiry({ isPast, isTooFar }: { isPast: boolean; isTooFar: boolean }): void {
  if (isPast) refuse('expiresAt', 'past', 'must lie in the future')
  if (isTooFar) refuse('expiresAt', 'maximum', `must lie at most ${limits.shareDays} days ahead`)
}

/** Refuses VALIDATION_ERROR when the author is among the grantees: there is nothing that they could be given. */
export function assertNotAuthor(grantees: readonly Grantee[], asset: { author_id: string }): void {
  if (grantees.some(({ id }) => id === asset.author_id))
    refuse('granteeId', 'author', 'is the author, who may do everything already')
}

function refuse(path: string, code: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}
