import type { Input } from '#contract/endpoint.ts'
import { type Asset, updateAsset } from '#contract/studio/assets.ts'
import type { Caller } from '#platform/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { emit } from '#platform/emit.ts'
import { fail } from '#platform/fail.ts'
import { newId } from '#platform/ids.ts'
import { changes } from '#platform/serve.ts'
import { insertVersion, rewriteVersion, takenVersions } from '../versions/store.ts'
import { type AssetRow, assertMayAdminister, lockAsset } from './access.ts'
import { departmentSet } from './departments/store.ts'
import { assetNow } from './read.ts'
import {
  assertNotArchived,
  assertUnchanged,
  type Content,
  contentHash,
  nextPatch,
  slugFrom,
  tidyTags,
} from './rules.ts'
import { retireSlugs, takeFreeSlug, takeSlug } from './slugs/store.ts'
import { activeContent } from './store.ts'
import { saveAsset } from './write.ts'

type Body = Input<typeof updateAsset>['body']

/**
 * Document 1, PATCH /assets/:id. Content that really changes opens the next patch version; what does not
 * change anything writes and announces nothing.
 */
export const update = changes(
  updateAsset,
  async ({ tx, caller, params: { id }, body, audits }): Promise<Asset> => {
    const before = await lockAsset(tx, caller, id, 'edit')
    assertNotArchived(before)
    assertUnchanged(before, body.expectedUpdatedAt)
    if (body.visibility !== undefined || body.departments !== undefined) assertMayAdminister(before)

    const described = await describe(tx, before, body)
    const {
      asset: after,
      content,
      changedContent,
      isNewVersion,
    } = await versioned(tx, caller, described, body)
    const changed = [...changedFields(before, after), ...changedContent]
    audits(id, changed)
    if (changed.length === 0) return assetNow(tx, caller, id)

    const isReworded = changed.some(field => searched.includes(field))
    await saveAsset(tx, before, after, isReworded ? content.bodyMarkdown : undefined)
    emit(tx, caller, 'ai-asset.updated', { assetId: id, slug: after.slug, changes: changed })
    if (isNewVersion) {
      emit(tx, caller, 'ai-asset.version-created', {
        assetId: id,
        slug: after.slug,
        version: after.current_version,
      })
    }
    return assetNow(tx, caller, id)
  },
)

/** What search finds an asset by. */
const searched = ['name', 'slug', 'tags', 'description', 'bodyMarkdown']

/** The asset with what the body says of it, apart from its content. A new name gives a new slug. */
async function describe(tx: Tx, asset: AssetRow, body: Body): Promise<AssetRow> {
  const after = { ...asset }
  if (body.name !== undefined) after.name = body.name
  if (body.iconName !== undefined) after.icon_name = body.iconName
  if (body.color !== undefined) after.color = body.color
  if (body.tags !== undefined) after.tags = tidyTags(body.tags)
  if (body.visibility !== undefined) after.visibility = body.visibility
  if (body.departments !== undefined) after.department_set = await departmentSet(tx, body.departments)
  if (body.slug !== undefined && body.slug !== asset.slug) {
    if (!(await takeSlug(tx, asset.id, body.slug))) fail('SLUG_CONFLICT')
    after.slug = body.slug
  } else if (body.slug === undefined && after.name !== asset.name) {
    const wanted = slugFrom(after.name, asset.type)
    // the same words again, or with its number: the slug still says what the asset is called
    if (slugFrom(asset.name, asset.type) !== wanted) after.slug = await takeFreeSlug(tx, asset.id, wanted)
  }
  if (after.slug !== asset.slug) await retireSlugs(tx, asset.id, after.slug)
  return after
}

/** The asset with the version that its content takes, the content, and which parts of it changed. */
async function versioned(tx: Tx, caller: Caller, asset: AssetRow, body: Body) {
  const active = (await activeContent(tx, asset.id)) ?? fail('ASSET_NOT_FOUND')
  const content: Content = {
    description: body.description ?? active.description,
    bodyMarkdown: body.bodyMarkdown ?? active.bodyMarkdown,
    frontmatter: body.frontmatter ?? active.frontmatter,
  }
  const hash = contentHash(content)
  if (hash === active.hash) return { asset, content, changedContent: [] }
  const changedContent = contentFields.filter(
    field => contentHash({ ...active, [field]: content[field] }) !== active.hash,
  )
  const described = { ...asset, description: content.description }
  const written = { ...content, changelog: body.changelog ?? null, contentHash: hash }
  if (body.amend && (await rewriteVersion(tx, asset.current_version_id, written))) {
    return { asset: described, content, changedContent }
  }
  const version = await freeVersion(tx, asset)
  const id = newId()
  await insertVersion(tx, { ...written, id, assetId: asset.id, version, createdBy: caller.personId })
  return {
    asset: { ...described, current_version_id: id, current_version: version, current_published_at: null },
    content,
    changedContent: [...changedContent, 'version'],
    isNewVersion: true,
  }
}
const contentFields = ['description', 'bodyMarkdown', 'frontmatter'] as const

/** The next patch number that the asset has not had. */
async function freeVersion(tx: Tx, asset: AssetRow): Promise<string> {
  let version = nextPatch(asset.current_version)
  for (;;) {
    const candidates = [version]
    for (let more = 1; more < 20; more++) candidates.push(nextPatch(candidates.at(-1)!))
    const taken = await takenVersions(tx, asset.id, candidates)
    const free = candidates.find(candidate => !taken.has(candidate))
    if (free) return free
    version = nextPatch(candidates.at(-1)!)
  }
}

function changedFields(before: AssetRow, after: AssetRow): string[] {
  const fields: [name: string, before: unknown, after: unknown][] = [
    ['name', before.name, after.name],
    ['slug', before.slug, after.slug],
    ['iconName', before.icon_name, after.icon_name],
    ['color', before.color, after.color],
    ['tags', before.tags.join('\n'), after.tags.join('\n')],
    ['visibility', before.visibility, after.visibility],
    ['departments', before.department_set, after.department_set],
  ]
  return fields.filter(([, was, is]) => was !== is).map(([name]) => name)
}
