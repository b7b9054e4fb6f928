import { type EventName, events as promised } from '#contract/events.ts'
import type { MayReceive, StoredEvent } from '#platform/events/sse-broker.ts'

/**
 * Decides who receives a marketplace event without named recipients: every open stream, if its audience is everyone. Needs
 * no query, because the subscribers belong to many organizations (MST-5).
 */
export async function marketplaceAudience(): Promise<MayReceive> {
  return (_caller, event) =>
    (promised as Partial<typeof promised>)[event.name as EventName]?.audience === 'everyone'
}

/** Coalesces helpful counts of a review: only the last of several counts in a short time is sent. */
export function markedReviewOf({ name, data }: StoredEvent): string | undefined {
  return name === ('ai-marketplace.review-helpful' satisfies EventName) ? String(data.reviewId) : undefined
}
