import { createAsset } from '#contract/studio/assets.ts'
import { emit } from '#platform/events/emit.ts'
import { command } from '#platform/http/operation.ts'
import { assertFrontmatterBounds } from '../packages/frontmatter/frontmatter-bounds.ts'
import { showCreated } from './asset.json.ts'
import { normalizeTags } from './asset.rules.ts'
import { departmentSet } from './asset-departments.sql.ts'
import { addAsset } from './write.ts'

/** Creates an asset with its first version (AST-3). */
export const create = command(createAsset, async ({ tx, caller, body, audit }) => {
  assertFrontmatterBounds(body.frontmatter)
  const asset = await addAsset(tx, caller, {
    type: body.type,
    name: body.name,
    description: body.description ?? '',
    bodyMarkdown: body.bodyMarkdown ?? '',
    frontmatter: body.frontmatter ?? {},
    iconName: body.iconName ?? null,
    color: body.color ?? null,
    visibility: body.visibility ?? 'PRIVATE',
    departmentSet: await departmentSet(tx, body.departments ?? []),
    tags: normalizeTags(body.tags ?? []),
    version: body.version ?? '1.0.0',
    collectionIds: body.collectionIds ?? [],
  })
  emit(tx, caller, 'ai-asset.created', { assetId: asset.id, slug: asset.slug })
  audit(asset.id)
  return showCreated(asset)
})
