import type { TSchema } from 'typebox'
import { event } from '../event.ts'
import { Id } from '../shapes.ts'
import { Type } from '../type.ts'

const asset = { assetId: Id }
/** People who lose access to an asset receive this event with the id alone. Reading the asset then returns 404. */
const Changed = Type.Object({
  ...asset,
  slug: Type.Optional(Type.String()),
  changes: Type.Optional(Type.Array(Type.String())),
})
/** A restored asset is announced as created, so that clients without support for restoring show it again. */
const Created = Type.Object({ ...asset, slug: Type.String(), restored: Type.Optional(Type.Literal(true)) })
const Plain = Type.Object({ ...asset, slug: Type.String() })
const Versioned = Type.Object({ ...asset, slug: Type.String(), version: Type.String() })
const Linked = Type.Object({
  ...asset,
  slug: Type.String(),
  linkId: Id,
  entityType: Type.String(),
  entityId: Type.String(),
})

function assetEvent<const Data extends TSchema>(
  audience: 'asset-readers' | 'asset-readers-but-actor',
  frame: string,
  data: Data,
) {
  return event({ stream: 'studio', frame: `asset-${frame}`, audience, data })
}

/** The events of the catalogue stream (STR-7 to STR-11). */
export const studioEvents = {
  'ai-asset.created': assetEvent('asset-readers', 'created', Created),
  'ai-asset.updated': assetEvent('asset-readers', 'updated', Changed),
  'ai-asset.published': assetEvent('asset-readers', 'published', Versioned),
  'ai-asset.archived': assetEvent('asset-readers', 'archived', Plain),
  'ai-asset.unarchived': assetEvent('asset-readers', 'unarchived', Plain),
  'ai-asset.deleted': assetEvent('asset-readers', 'deleted', Plain),
  'ai-asset.version-created': assetEvent('asset-readers', 'version-created', Versioned),
  'ai-asset.linked': assetEvent('asset-readers', 'linked', Linked),
  'ai-asset.shared': assetEvent('asset-readers', 'shared', Plain),
  'ai-asset.verified': assetEvent('asset-readers', 'verified', Versioned),
  'ai-asset.used': assetEvent(
    'asset-readers-but-actor',
    'used',
    Type.Object({ ...asset, usageCount: Type.Integer() }),
  ),
  'ai-asset.reacted': assetEvent(
    'asset-readers-but-actor',
    'reacted',
    Type.Object({ ...asset, thumbsUp: Type.Integer(), thumbsDown: Type.Integer() }),
  ),
} as const
