import type { Input } from '#contract/operation.ts'
import { type Asset, updateAsset } from '#contract/studio/assets.ts'
import { changedFieldNames } from '#platform/changed-fields.ts'
import type { Tx } from '#platform/data/db.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { command } from '#platform/http/operation.ts'
import { type ContentChange, changeFor, changeIn } from '../packages/frontmatter/written-frontmatter.ts'
import { currentReaders, emitAccessLoss } from '../stream/access-loss.ts'
import { changedContent, mergeContent, withActive, withoutVerification } from '../versions/version.rules.ts'
import { contentOf, nextVersion, rewriteVersion } from '../versions/version.sql.ts'
import { addVersion } from '../versions/write.ts'
import { type AssetRow, assertMayAdminister, lockAsset } from './asset.access.ts'
import { assertNotArchived, assertUnchanged, isOpen, normalizeTags, slugFrom } from './asset.rules.ts'
import { departmentSet } from './asset-departments.sql.ts'
import { retireSlugs, takeFreeSlug, takeSlug } from './asset-slugs.sql.ts'
import { assetReply } from './read.ts'
import { saveAsset } from './write.ts'

type Body = Input<typeof updateAsset>['body']

/**
 * Updates an asset. A change of content creates the next patch version (AST-16). A call without changes writes nothing and
 * emits no event (AST-19).
 */
export const update = command(
  updateAsset,
  async ({ tx, caller, params: { id }, body, audit }): Promise<Asset> => {
    const change = changeIn(body)
    const before = await lockAsset(tx, caller, id, 'edit')
    assertNotArchived(before)
    assertUnchanged(before, body.expectedUpdatedAt)
    if (body.visibility !== undefined || body.departments !== undefined) assertMayAdminister(before)

    const described = await withUpdatedFields(tx, before, body)
    const {
      asset: after,
      content,
      ...version
    } = await withUpdatedContent(tx, caller, described, {
      ...body,
      ...changeFor(before.type, change),
    })
    const changed = [...changedFields(before, after), ...version.changed]
    audit(id, changed)
    if (changed.length === 0) return assetReply(tx, caller, id)

    const formerReaders = mayReduceAccess(changed, after) ? await currentReaders(tx, id) : undefined
    await saveAsset(tx, before, after, changesSearchText(changed) ? content.bodyMarkdown : undefined)
    emit(tx, caller, 'ai-asset.updated', { assetId: id, slug: after.slug, changes: changed })
    emitAccessLoss(tx, caller, id, formerReaders)
    if (version.isNewVersion) {
      emit(tx, caller, 'ai-asset.version-created', {
        assetId: id,
        slug: after.slug,
        version: after.current_version,
      })
    }
    return assetReply(tx, caller, id)
  },
)

/** Whether somebody may have lost access to the asset. */
function mayReduceAccess(changed: readonly string[], after: AssetRow): boolean {
  if (isOpen(after)) return false
  return changed.includes('visibility') || changed.includes('departments')
}

/** The fields that search indexes. */
const searchedFields = ['name', 'slug', 'tags', 'description', 'bodyMarkdown']

/** Whether the change affects fields that search indexes. */
export function changesSearchText(changed: readonly string[]): boolean {
  return changed.some(field => searchedFields.includes(field))
}

/** The asset with the changed fields of the body except its content. A new name gives a new slug (AST-12). */
export async function withUpdatedFields(tx: Tx, asset: AssetRow, body: Body): Promise<AssetRow> {
  const after = { ...asset }
  if (body.name !== undefined) after.name = body.name
  if (body.iconName !== undefined) after.icon_name = body.iconName
  if (body.color !== undefined) after.color = body.color
  if (body.tags !== undefined) after.tags = normalizeTags(body.tags)
  if (body.visibility !== undefined) after.visibility = body.visibility
  if (body.departments !== undefined) after.department_set = await departmentSet(tx, body.departments)
  if (body.slug !== undefined && body.slug !== asset.slug) {
    if (!(await takeSlug(tx, asset.id, body.slug))) fail('SLUG_CONFLICT')
    after.slug = body.slug
  } else if (body.slug === undefined && after.name !== asset.name) {
    const wanted = slugFrom(after.name, asset.type)
    // Both names give the same slug: keep the current one, which may have a number
    if (slugFrom(asset.name, asset.type) !== wanted) after.slug = await takeFreeSlug(tx, asset.id, wanted)
  }
  if (after.slug !== asset.slug) await retireSlugs(tx, asset.id, after.slug)
  return after
}

/**
 * Creates a version for changed content, or rewrites the active one, and returns the asset, its content and the changed
 * parts. A new version shares the attachments by reference. A rewritten version loses its verification (AST-30).
 */
async function withUpdatedContent(
  tx: Tx,
  caller: Caller,
  asset: AssetRow,
  body: Pick<Body, 'amend' | 'changelog'> & ContentChange,
) {
  const activeId = asset.current_version_id
  const active = (await contentOf(tx, activeId)) ?? fail('ASSET_NOT_FOUND')
  const content = mergeContent(active, body)
  const changed: string[] = changedContent(active, content)
  if (changed.length === 0) return { asset, content, changed }
  const { description } = content
  if (body.amend && (await rewriteVersion(tx, activeId, content, body.changelog ?? null))) {
    const amended = { ...asset, description }
    if (asset.verified_version_id !== activeId) return { asset: amended, content, changed }
    return { asset: withoutVerification(amended), content, changed: [...changed, 'verified'] }
  }
  const version = await nextVersion(tx, asset.id, asset.current_version)
  const { changelog } = body
  const id = await addVersion(tx, caller, asset.id, { version, content, changelog, filesFrom: activeId })
  return {
    asset: withActive(asset, { id, version, description }),
    content,
    changed: [...changed, 'version'],
    isNewVersion: true,
  }
}

/** The names of the changed fields that are not part of a version. */
export function changedFields(before: AssetRow, after: AssetRow): string[] {
  return changedFieldNames(
    {
      name: 'name',
      slug: 'slug',
      icon_name: 'iconName',
      color: 'color',
      tags: 'tags',
      visibility: 'visibility',
      department_set: 'departments',
    },
    before,
    after,
  )
}
