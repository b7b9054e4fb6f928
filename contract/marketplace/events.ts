import type { TSchema } from 'typebox'
import { event } from '../event.ts'
import { Id, Nullable, Time } from '../shapes.ts'
import { Type } from '../type.ts'

const entry = { entryId: Id }
const Entry = Type.Object(entry)
const Rated = Type.Object({
  ...entry,
  reviewId: Id,
  ratingAverage: Nullable(Type.Number()),
  ratingCount: Type.Integer(),
})
function marketplaceEvent<const Data extends TSchema>(
  audience: 'everyone' | 'named',
  frame: string,
  data: Data,
) {
  return event({ stream: 'marketplace', frame: `marketplace-${frame}`, audience, data })
}

/** All organizations share this stream: no event may reveal a person or an organization. */
export const marketplaceEvents = {
  'ai-marketplace.featured': marketplaceEvent(
    'everyone',
    'featured',
    Type.Object({ ...entry, featuredUntil: Time }),
  ),
  'ai-marketplace.unfeatured': marketplaceEvent('everyone', 'unfeatured', Entry),
  'ai-marketplace.reviewed': marketplaceEvent('everyone', 'reviewed', Rated),
  'ai-marketplace.review-updated': marketplaceEvent('everyone', 'review-updated', Rated),
  'ai-marketplace.review-deleted': marketplaceEvent('everyone', 'review-deleted', Rated),
  'ai-marketplace.review-helpful': marketplaceEvent(
    'everyone',
    'review-helpful',
    Type.Object({ ...entry, reviewId: Id, helpfulCount: Type.Integer() }),
  ),
  'ai-marketplace.under-review': marketplaceEvent(
    'named',
    'under-review',
    Type.Object({ ...entry, version: Type.String() }),
  ),
  'ai-marketplace.approved': marketplaceEvent(
    'named',
    'approved',
    Type.Object({ ...entry, version: Type.String() }),
  ),
  'ai-marketplace.rejected': marketplaceEvent(
    'named',
    'rejected',
    Type.Object({ ...entry, version: Type.String(), reason: Type.String() }),
  ),
  'ai-marketplace.archived': marketplaceEvent(
    'named',
    'archived',
    Type.Object({ ...entry, reason: Nullable(Type.String()) }),
  ),
  'ai-marketplace.new-version-pending-review': marketplaceEvent(
    'named',
    'new-version-pending-review',
    Type.Object({ ...entry, version: Type.String() }),
  ),
  'ai-marketplace.installed': marketplaceEvent(
    'named',
    'installed',
    Type.Object({ ...entry, version: Type.String(), installCount: Type.Integer() }),
  ),
} as const
