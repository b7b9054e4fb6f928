import { type EventName, events as promised } from '#contract/events.ts'
import type { Db } from '#platform/db/database.ts'
import { hearerKey } from '#platform/emit.ts'
import type { KeptEvent, MayHear } from '#platform/relay/hub.ts'

/**
 * Who hears of a marketplace event: everybody whose stream is open, or the people who stand beside it. Decided in
 * memory, since the members of the room belong to many organizations. Document 1, Marketplace stream.
 */
export async function marketplaceAudience(_db: Db, _events: readonly KeptEvent[]): Promise<MayHear> {
  return (caller, event) => {
    const audience = (promised as Partial<typeof promised>)[event.name as EventName]?.audience
    if (audience === 'everyone') return true
    return audience === 'named' && (event.heardBy ?? []).includes(hearerKey(caller))
  }
}

/** The helpful marks of a review: of several counts in a short while only the last one goes out. */
export function markedReviewOf({ name, data }: KeptEvent): string | undefined {
  return name === ('ai-marketplace.review-helpful' satisfies EventName) ? String(data.reviewId) : undefined
}
