import Type, { type TSchema } from 'typebox'
import { event } from '../event.ts'
import { Id, Nullable, Time } from '../shapes.ts'

const entry = { entryId: Id }
const Entry = Type.Object(entry)
const Rated = Type.Object({
  ...entry,
  reviewId: Id,
  ratingAverage: Nullable(Type.Number()),
  ratingCount: Type.Integer(),
})
function told<const Data extends TSchema>(audience: 'everyone' | 'named', frame: string, data: Data) {
  return event({ stream: 'marketplace', frame: `marketplace-${frame}`, audience, data })
}

/** One room for all organizations: nothing here may say who did something, or from where. */
export const marketplaceEvents = {
  'ai-marketplace.featured': told('everyone', 'featured', Type.Object({ ...entry, featuredUntil: Time })),
  'ai-marketplace.unfeatured': told('everyone', 'unfeatured', Entry),
  'ai-marketplace.reviewed': told('everyone', 'reviewed', Rated),
  'ai-marketplace.review-updated': told('everyone', 'review-updated', Rated),
  'ai-marketplace.review-deleted': told('everyone', 'review-deleted', Rated),
  'ai-marketplace.review-helpful': told(
    'everyone',
    'review-helpful',
    Type.Object({ ...entry, reviewId: Id, helpfulCount: Type.Integer() }),
  ),
  'ai-marketplace.under-review': told(
    'named',
    'under-review',
    Type.Object({ ...entry, version: Type.String() }),
  ),
  'ai-marketplace.approved': told('named', 'approved', Type.Object({ ...entry, version: Type.String() })),
  'ai-marketplace.rejected': told(
    'named',
    'rejected',
    Type.Object({ ...entry, version: Type.String(), reason: Type.String() }),
  ),
  'ai-marketplace.archived': told(
    'named',
    'archived',
    Type.Object({ ...entry, reason: Nullable(Type.String()) }),
  ),
  'ai-marketplace.new-version-pending-review': told(
    'named',
    'new-version-pending-review',
    Type.Object({ ...entry, version: Type.String() }),
  ),
  'ai-marketplace.installed': told(
    'named',
    'installed',
    Type.Object({ ...entry, version: Type.String(), installCount: Type.Integer() }),
  ),
} as const
