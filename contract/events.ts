import Type, { type Static, type TSchema } from 'typebox'
import { Id, Nullable, Time } from './shapes.ts'

/**
 * Who hears of an event. No caller of emit() picks recipients: the audience stands here.
 *  asset-readers  members who may read the asset at that moment (Document 1, catalog stream)
 *  others         the same, without the person who acted
 *  nobody         kept for the record only
 *  everyone       all members of all organizations that have the marketplace (Document 1, marketplace stream)
 *  named          the people whom `emit` is given: the submitter of an entry, and who installed it
 */
export type Audience = 'asset-readers' | 'asset-readers-but-actor' | 'nobody' | 'everyone' | 'named'

type Promised = {
  stream: 'studio' | 'marketplace' | null
  frame: string | null
  audience: Audience
  data: TSchema
}
function event<const P extends Promised>(promised: P): P {
  return promised
}

const asset = { assetId: Id }
const Changed = Type.Object({ ...asset, slug: Type.String(), changes: Type.Array(Type.String()) })
const Plain = Type.Object({ ...asset, slug: Type.String() })
const Versioned = Type.Object({ ...asset, slug: Type.String(), version: Type.String() })

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

// one room for all organizations: nothing here may say who did something, or from where
const marketplaceEvents = {
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

/**
 * Streams that all organizations share. Their events are numbered in one room, which has the name of the stream; what
 * leaves it carries nothing of the organization or the person that an event comes from.
 */
export const sharedStreams = ['marketplace'] as const

/** Every event: its internal name, the frame name on the stream, who hears it and what it carries. */
export const events = {
  'ai-asset.created': event({
    stream: 'studio',
    frame: 'asset-created',
    audience: 'asset-readers',
    data: Plain,
  }),
  'ai-asset.updated': event({
    stream: 'studio',
    frame: 'asset-updated',
    audience: 'asset-readers',
    data: Changed,
  }),
  'ai-asset.published': event({
    stream: 'studio',
    frame: 'asset-published',
    audience: 'asset-readers',
    data: Versioned,
  }),
  'ai-asset.archived': event({
    stream: 'studio',
    frame: 'asset-archived',
    audience: 'asset-readers',
    data: Plain,
  }),
  'ai-asset.unarchived': event({
    stream: 'studio',
    frame: 'asset-unarchived',
    audience: 'asset-readers',
    data: Plain,
  }),
  'ai-asset.deleted': event({
    stream: 'studio',
    frame: 'asset-deleted',
    audience: 'asset-readers',
    data: Plain,
  }),
  'ai-asset.version-created': event({
    stream: 'studio',
    frame: 'asset-version-created',
    audience: 'asset-readers',
    data: Versioned,
  }),
  'ai-asset.linked': event({
    stream: 'studio',
    frame: 'asset-linked',
    audience: 'asset-readers',
    data: Type.Object({
      ...asset,
      slug: Type.String(),
      linkId: Id,
      entityType: Type.String(),
      entityId: Type.String(),
    }),
  }),
  'ai-asset.shared': event({
    stream: 'studio',
    frame: 'asset-shared',
    audience: 'asset-readers',
    data: Plain,
  }),
  'ai-asset.verified': event({
    stream: 'studio',
    frame: 'asset-verified',
    audience: 'asset-readers',
    data: Versioned,
  }),
  'ai-asset.used': event({
    stream: 'studio',
    frame: 'asset-used',
    audience: 'asset-readers-but-actor',
    data: Type.Object({ ...asset, usageCount: Type.Integer() }),
  }),
  'ai-asset.reacted': event({
    stream: 'studio',
    frame: 'asset-reacted',
    audience: 'asset-readers-but-actor',
    data: Type.Object({ ...asset, thumbsUp: Type.Integer(), thumbsDown: Type.Integer() }),
  }),
  ...marketplaceEvents,
} as const

export type EventName = keyof typeof events
export type EventData<Name extends EventName> = Static<(typeof events)[Name]['data']>
