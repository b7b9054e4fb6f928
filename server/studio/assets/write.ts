import type { AssetType, Visibility } from '#contract/studio/assets.ts'
import type { Tx } from '#platform/data/db.ts'
import type { Caller } from '#platform/http/caller.ts'
import { newId } from '#platform/ids.ts'
import { fileInCollections } from '../collections/collection-filings.sql.ts'
import { insertVersion } from '../versions/version.sql.ts'
import type { AssetRow } from './asset.access.ts'
import { type AssetBucketFields, type Content, contentHash, isSameBucket, slugFrom } from './asset.rules.ts'
import {
  deleteAssetRow,
  insertAsset,
  type NewAsset,
  restoreAssetRow,
  setTags,
  updateAsset,
} from './asset.sql.ts'
import { takeFreeSlug } from './asset-slugs.sql.ts'
import { addToCatalogue, moveInCatalogue, removeFromCatalogue, returnToCatalogue } from './catalogue/index.ts'

/** The input for a new asset. */
export type AssetDraft = Content & {
  type: AssetType
  name: string
  /** The wanted slug. Default: derived from the name. */
  slug?: string
  iconName: string | null
  color: string | null
  visibility: Visibility
  departmentSet: string
  tags: string[]
  version: string
  changelog?: string | null
  frontmatterText?: string | null
  collectionIds: readonly string[]
}

/**
 * Creates a DRAFT of the caller with its slug and first version. Statements of `alongside` go out in the same round trip.
 * Fails with COLLECTION_NOT_FOUND if one of the collections does not exist.
 */
export async function addAsset(
  tx: Tx,
  caller: Caller,
  draft: AssetDraft,
  alongside: (asset: NewAsset) => Promise<unknown> = async () => {},
): Promise<NewAsset & { created_at: string }> {
  const id = newId()
  const slug = await takeFreeSlug(tx, id, draft.slug ?? slugFrom(draft.name, draft.type))
  const bucketFields: AssetBucketFields = {
    author_id: caller.personId,
    visibility: draft.visibility,
    department_set: draft.departmentSet,
    status: 'DRAFT',
    type: draft.type,
  }
  const asset: NewAsset = {
    ...bucketFields,
    id,
    slug,
    name: draft.name,
    description: draft.description,
    icon_name: draft.iconName,
    color: draft.color,
    tags: draft.tags,
    current_version_id: newId(),
    current_version: draft.version,
  }
  const version = {
    id: asset.current_version_id,
    assetId: id,
    version: draft.version,
    createdBy: caller.personId,
  }
  const { description, bodyMarkdown, frontmatter } = draft
  const content = { description, bodyMarkdown, frontmatter }
  const versionFields = {
    frontmatterText: draft.frontmatterText ?? null,
    changelog: draft.changelog ?? null,
    contentHash: contentHash(content),
    restoredFrom: null,
  }
  const [{ created_at }] = await Promise.all([
    insertAsset(tx, asset),
    insertVersion(tx, { ...version, ...content, ...versionFields }),
    fileInCollections(tx, caller, asset, draft.collectionIds),
    alongside(asset),
    addToCatalogue(tx, asset, bodyMarkdown),
  ])
  return { ...asset, created_at }
}

/**
 * Updates a locked asset and the denormalized copies of its fields that lists, counters and search use. With `body`, also
 * updates the words by which search finds the asset.
 */
export async function saveAsset(tx: Tx, before: AssetRow, after: AssetRow, body?: string): Promise<void> {
  await Promise.all([
    updateAsset(tx, after, !isSameBucket(before, after)),
    setTags(tx, after.id, before.tags, after.tags),
    moveInCatalogue(tx, before, after, body),
  ])
}

/** Removes an asset from lists, search and counters. Its rows and slugs are retained until the purge. */
export async function deleteAsset(tx: Tx, caller: Caller, asset: AssetRow): Promise<void> {
  await Promise.all([deleteAssetRow(tx, asset.id, caller.personId), removeFromCatalogue(tx, asset)])
}

/** Puts a locked, deleted asset back into lists, search and counters. `body` is that of its active version. */
export async function undeleteAsset(tx: Tx, asset: AssetRow, body: string): Promise<void> {
  await Promise.all([restoreAssetRow(tx, asset.id), returnToCatalogue(tx, asset, body)])
}
