import { type EventName, events as promised } from '#contract/events.ts'
import type { KeptEvent, MayReceive } from '#platform/events/sse-broker.ts'

/**
 * Who hears of a marketplace event that names nobody: everybody whose stream is open, when it is meant for everyone.
 * Nothing is asked for it, since the members of the room belong to many organizations (MST-5).
 */
export async function marketplaceAudience(): Promise<MayReceive> {
  return (_caller, event) =>
    (promised as Partial<typeof promised>)[event.name as EventName]?.audience === 'everyone'
}

/** The helpful marks of a review: of several counts in a short while only the last one goes out. */
export function markedReviewOf({ name, data }: KeptEvent): string | undefined {
  return name === ('ai-marketplace.review-helpful' satisfies EventName) ? String(data.reviewId) : undefined
}
