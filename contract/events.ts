import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import type { Scope } from './permissions.ts'
import { Id, Nullable, Time } from './shapes.ts'

/**
 * Who hears of an event. No caller of emit() picks recipients: the audience stands here.
 *  asset-readers  members who may read the asset at that moment (Document 1, catalog stream)
 *  others         the same, without the person who acted
 *  nobody         kept for the record only
 *  everyone       all members of all organizations that have the marketplace (Document 1, marketplace stream)
 *  named          the people whom `emit` is given: the submitter of an entry, and who installed it
 *  applications   external applications, by webhook (Document 2, Events); see ForApplications
 */
export type Audience =
  | 'asset-readers'
  | 'asset-readers-but-actor'
  | 'nobody'
  | 'everyone'
  | 'named'
  | 'applications'

type Promised = {
  stream: 'studio' | 'marketplace' | null
  frame: string | null
  audience: Audience
  data: TSchema
}

/** An event for external applications. Its name is in capitals; a dotted name is never told to one. */
export type ForApplications = {
  stream: null
  frame: null
  audience: 'applications'
  data: TSchema
  /** Version of `data`, told in `meta.schemaVersion` and a header. */
  schemaVersion: string
  /** What an application needs to be told, when the event happens and again whenever it is sent. */
  scope: Scope | null
  /**
   *  subscribers  every application of the organization that asked for the event by its name
   *  subject      of them only the one that `emit` is given as `{ applicationId }`
   *  anyway       that one, whether it asked for the event or not
   */
  reaches: 'subscribers' | 'subject' | 'anyway'
  /** An application that did it itself is told as well. */
  isToldToActor: boolean
}
function event<const P extends Promised>(promised: P): P {
  return promised
}

function forApplications<const P extends Omit<ForApplications, 'stream' | 'frame' | 'audience'>>(
  promised: P,
) {
  return { stream: null, frame: null, audience: 'applications', ...promised } as const
}

// what a notice says of an error. Never its stack, context or user: notices are stored and sent again
const errorHead = {
  errorId: Id,
  hash: Type.String(),
  message: Type.String(),
  module: Type.String(),
  severity: Type.String(),
  count: Type.Integer(),
  lastOccurrence: Time,
  state: Type.String(),
}
const Who = Type.Object({ id: Id, displayName: Type.String() })
function ofError<const Data extends TProperties>(data: Data) {
  return forApplications({
    schemaVersion: '2026-11',
    scope: 'analytics:errors:read',
    reaches: 'subject',
    isToldToActor: true,
    data: Type.Object(data),
  })
}

/** Document 2, Error reporting events; the last two are ours. */
const errorEvents = {
  ERROR_REPORTED: ofError({
    errorId: Id,
    hash: Type.String(),
    message: Type.String(),
    module: Type.String(),
    severity: Type.String(),
    file: Nullable(Type.String()),
    line: Nullable(Type.Integer()),
    function: Nullable(Type.String()),
    endpoint: Nullable(Type.String()),
    count: Type.Integer(),
    firstOccurrence: Time,
    state: Type.String(),
  }),
  ERROR_RESOLVED: ofError({ ...errorHead, resolvedAt: Time, resolvedBy: Who, ticketId: Nullable(Id) }),
  ERROR_SILENCED: ofError({
    ...errorHead,
    silencedAt: Time,
    silencedUntil: Nullable(Time),
    condition: Type.Object({
      type: Type.String(),
      value: Nullable(Type.String({ description: 'The time, or how many occurrences' })),
    }),
    silencedBy: Who,
  }),
  ERROR_REOPENED: ofError({
    ...errorHead,
    reason: Type.String({ description: 'REGRESSION, MANUAL or SILENCE_ENDED' }),
    previousState: Type.String(),
    reopenedAt: Time,
  }),
  ERROR_SPIKE: ofError({
    ...errorHead,
    observed: Type.Integer(),
    baselineMedian: Type.Number(),
    factor: Type.Number(),
    windowMinutes: Type.Integer(),
  }),
} as const

const applicationEvents = {
  ...errorEvents,
  WEBHOOK_TEST: forApplications({
    schemaVersion: '2026-07',
    scope: null,
    reaches: 'anyway',
    isToldToActor: true,
    data: Type.Object({ message: Type.String() }),
  }),
} as const

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
  ...applicationEvents,
} as const

export type EventName = keyof typeof events
export type EventData<Name extends EventName> = Static<(typeof events)[Name]['data']>
