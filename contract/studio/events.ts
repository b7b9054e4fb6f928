import Type, { type TSchema } from 'typebox'
import { event } from '../event.ts'
import { Id } from '../shapes.ts'

const asset = { assetId: Id }
/** Who loses access to an asset is sent one of these with the id alone, and reads 404 from then on. */
const Changed = Type.Object({
  ...asset,
  slug: Type.Optional(Type.String()),
  changes: Type.Optional(Type.Array(Type.String())),
})
/** A deleted asset that was restored appears like a new one: clients that know nothing of restoring show it again. */
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

function told<const Data extends TSchema>(
  audience: 'asset-readers' | 'asset-readers-but-actor',
  frame: string,
  data: Data,
) {
  return event({ stream: 'studio', frame: `asset-${frame}`, audience, data })
}

/** The events of the catalogue stream (STR-7 to STR-11). */
export const studioEvents = {
  'ai-asset.created': told('asset-readers', 'created', Created),
  'ai-asset.updated': told('asset-readers', 'updated', Changed),
  'ai-asset.published': told('asset-readers', 'published', Versioned),
  'ai-asset.archived': told('asset-readers', 'archived', Plain),
  'ai-asset.unarchived': told('asset-readers', 'unarchived', Plain),
  'ai-asset.deleted': told('asset-readers', 'deleted', Plain),
  'ai-asset.version-created': told('asset-readers', 'version-created', Versioned),
  'ai-asset.linked': told('asset-readers', 'linked', Linked),
  'ai-asset.shared': told('asset-readers', 'shared', Plain),
  'ai-asset.verified': told('asset-readers', 'verified', Versioned),
  'ai-asset.used': told(
    'asset-readers-but-actor',
    'used',
    Type.Object({ ...asset, usageCount: Type.Integer() }),
  ),
  'ai-asset.reacted': told(
    'asset-readers-but-actor',
    'reacted',
    Type.Object({ ...asset, thumbsUp: Type.Integer(), thumbsDown: Type.Integer() }),
  ),
} as const
