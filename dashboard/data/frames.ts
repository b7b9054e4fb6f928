import { listInbox } from '#contract/identity/inbox.ts'
import { readOverview } from '#contract/identity/overview.ts'
import { listOwnOrganizations } from '#contract/identity/sessions.ts'
import type { StreamEvent } from '#sdk/stream.ts'
import { patchRows } from './frames.patch.ts'
import { type FrameEffect, frameRules } from './frames.rules.ts'
import { addNewRows } from './new-rows.ts'
import { callerQuery } from './own-organizations.ts'
import { afterOwnWork } from './own-work.ts'
import { queryClient } from './query-client.ts'
import { keyOf } from './read.ts'
import { forgetTokens } from './session.ts'

/** Frames that come within this time are answered together. */
const collectMs = 250
/** The counts of Home and the inbox concern all areas; they are read at most this often. */
const summaryMs = 5_000
const staleSummaries = new Set<string>()
const staleKeys = new Map<string, readonly unknown[]>()
const changedAccess = new Set<string>()

/** Brings what the cache holds up to date with an event of the stream. */
export function applyFrame(organizationId: string, { event, data }: StreamEvent): void {
  if (event === 'resync') collect([organizationId])
  for (const effect of frameRules[event]?.(data) ?? []) apply(organizationId, effect)
}

function apply(organizationId: string, effect: FrameEffect): void {
  if (effect.kind === 'access') {
    changedAccess.add(organizationId)
    collect([organizationId, 'org'])
  } else if (effect.kind === 'patch') {
    for (const operation of effect.operations)
      queryClient.setQueriesData({ queryKey: keyOf(organizationId, operation) }, (former: unknown) =>
        patchRows(former, effect.id, effect.values),
      )
  } else {
    const { operation, params, newIds } = effect
    // a screen that shows “3 new” reads them when the person asks for them
    if (newIds !== undefined && addNewRows(keyOf(organizationId, operation), newIds)) return
    collect(keyOf(organizationId, operation, params && { params }))
    collectSummary(organizationId)
  }
}

function collectSummary(organizationId: string): void {
  if (staleSummaries.size === 0) setTimeout(flushSummaries, summaryMs)
  staleSummaries.add(organizationId)
}

function flushSummaries(): void {
  const organizations = [...staleSummaries]
  staleSummaries.clear()
  for (const organizationId of organizations) {
    collect(keyOf(organizationId, readOverview))
    collect(keyOf(organizationId, listInbox))
  }
}

function collect(key: readonly unknown[]): void {
  if (staleKeys.size === 0) setTimeout(() => afterOwnWork(flush), collectMs)
  staleKeys.set(JSON.stringify(key), key)
}

/** Reads anew what is visible; the rest becomes stale. */
function flush(): void {
  const keys = [...staleKeys.values()]
  const organizations = [...changedAccess]
  staleKeys.clear()
  changedAccess.clear()
  const refetchType = document.visibilityState === 'visible' ? 'active' : 'none'
  for (const organizationId of organizations) void readAccessAgain(organizationId)
  for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey, refetchType })
}

/** Gets a new session token and reads again what the caller may do, so that screens gain or lose parts. */
export async function readAccessAgain(organizationId: string): Promise<void> {
  forgetTokens()
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: callerQuery(organizationId).queryKey }),
    queryClient.invalidateQueries({ queryKey: keyOf('account', listOwnOrganizations) }),
  ])
}
