import { duplicateAsset } from '#contract/studio/assets.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { copyFileRows } from '../files/file.sql.ts'
import { contentOf } from '../versions/version.sql.ts'
import { assetFor } from './asset.access.ts'
import { showCreated } from './asset.json.ts'
import { nameOfCopy } from './asset.rules.ts'
import { addAsset } from './write.ts'

/**
 * Creates a PRIVATE DRAFT of the caller with the active content. Attachments are shared by reference; no bytes are copied
 * (AST-22).
 */
export const duplicate = command(duplicateAsset, async ({ tx, caller, params, body, audit }) => {
  const source = await assetFor(tx, caller, params.id, 'read')
  const { description, bodyMarkdown, frontmatter, frontmatterText } =
    (await contentOf(tx, source.current_version_id)) ?? fail('ASSET_NOT_FOUND')
  const copy = await addAsset(tx, caller, {
    type: source.type,
    name: body.name ?? nameOfCopy(source.name),
    description,
    bodyMarkdown,
    frontmatter,
    frontmatterText,
    iconName: source.icon_name,
    color: source.color,
    visibility: 'PRIVATE',
    departmentSet: '',
    tags: source.tags,
    version: '1.0.0',
    collectionIds: [],
  })
  await copyFileRows(tx, source.current_version_id, { assetId: copy.id, versionId: copy.current_version_id })
  emit(tx, caller, 'ai-asset.created', { assetId: copy.id, slug: copy.slug })
  audit(copy.id)
  return showCreated(copy)
})
