import Type, { type Static, type TSchema } from 'typebox'
import { Id } from './shapes.ts'

/**
 * Who hears of an event. No caller of emit() picks recipients: the audience stands here.
 *  asset-readers  members who may read the asset at that moment (Document 1, catalog stream)
 *  others         the same, without the person who acted
 *  nobody         kept for the record only
 */
export type Audience = 'asset-readers' | 'asset-readers-but-actor' | 'nobody'

type Promised = { stream: 'studio' | null; frame: string | null; audience: Audience; data: TSchema }
function event<const P extends Promised>(promised: P): P {
  return promised
}

const asset = { assetId: Id }
const Changed = Type.Object({ ...asset, slug: Type.String(), changes: Type.Array(Type.String()) })
const Plain = Type.Object({ ...asset, slug: Type.String() })
const Versioned = Type.Object({ ...asset, slug: Type.String(), version: Type.String() })

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
} as const

export type EventName = keyof typeof events
export type EventData<Name extends EventName> = Static<(typeof events)[Name]['data']>
