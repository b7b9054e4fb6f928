import { limits } from '#contract/limits.ts'
import { createLink, listByEntity, listLinks, removeLink } from '#contract/studio/links.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import { command, query } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { newId } from '#platform/ids.ts'
import { firstOf, required } from '#platform/required.ts'
import { assetFor, lockAsset, readerOf } from '../assets/asset.access.ts'
import { assertNotArchived } from '../assets/asset.rules.ts'
import { showLink, showLinked } from './link.json.ts'
import { deleteLink, insertLink, listLinkedAssets, listLinksOf } from './link.sql.ts'

/**
 * Links an asset to a record. Creating the same link again returns the existing one with its first note and emits no event
 * (LNK-3).
 */
export const create = command(createLink, async ({ tx, caller, params, body, audit }) => {
  const { entityType, entityId, note = null } = body
  const newLink = { id: newId(), assetId: params.id, entityType, entityId, note }
  const [asset, { link, isNew, count }] = await tx.inOrder(
    () => lockAsset(tx, caller, params.id, 'edit'),
    () => insertLink(tx, newLink, caller.personId),
  )
  assertNotArchived(asset)
  if (count > limits.linksPerAsset) fail('TOO_MANY_LINKS')
  audit(asset.id, isNew ? ['links'] : [])
  if (isNew) {
    emit(tx, caller, 'ai-asset.linked', {
      assetId: asset.id,
      slug: asset.slug,
      linkId: newLink.id,
      entityType,
      entityId,
    })
  }
  return showLink(required(link, 'a stored link'))
})

/** Lists the links of an asset (LNK-5). */
export const list = query(listLinks, async ({ db, caller, params, query }) => {
  const { limit, offset } = pageOf(query)
  const [, rows] = await Promise.all([
    assetFor(db, caller, params.id, 'read'),
    listLinksOf(db, params.id, limit, offset),
  ])
  const items = rows.flatMap(row => (row.id === null ? [] : [showLink(row)]))
  return { items, total: firstOf(rows).total, limit, offset }
})

/** Deletes a link (LNK-4). */
export const remove = command(removeLink, async ({ tx, caller, params, audit }) => {
  const [asset, isRemoved] = await tx.inOrder(
    () => lockAsset(tx, caller, params.id, 'edit'),
    () => deleteLink(tx, params.id, params.linkId),
  )
  if (!isRemoved) fail('LINK_NOT_FOUND')
  assertNotArchived(asset)
  audit(asset.id, ['links'])
  emit(tx, caller, 'ai-asset.updated', { assetId: asset.id, slug: asset.slug, changes: ['links'] })
})

/** Lists the assets that are linked to a record (LNK-6). */
export const byEntity = query(listByEntity, async ({ db, caller, query }) => {
  const { entityType, entityId } = query
  const { limit, offset } = pageOf(query)
  const rows = await listLinkedAssets(db, { ...readerOf(caller), entityType, entityId, limit, offset })
  const items = rows.flatMap(row => (row.id === null ? [] : [showLinked(row)]))
  return { items, total: firstOf(rows).total, limit, offset }
})
