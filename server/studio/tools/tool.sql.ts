import type { AssetType } from '#contract/studio/assets.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { type Reader, readable } from '../assets/asset.access.ts'
import { placeholderPattern } from './prompts/prompt.rules.ts'

/** An asset with its last published version, without the content. */
export type PublishedHeadRow = {
  id: string
  type: AssetType
  slug: string
  name: string
  updated_at: string
  version_id: string
  version: string
  description: string
  has_body: boolean
  tags: string[]
  author_name: string
}

/** A prompt in a list, with what determines its arguments. */
export type PublishedPromptRow = PublishedHeadRow & {
  frontmatter: { arguments: unknown; 'argument-hint': unknown }
  placeholders: string[]
}

/** An asset with the content of its last published version, and everything else that its package contains. */
export type PublishedContentRow = PublishedHeadRow & {
  icon_name: string | null
  color: string | null
  changelog: string | null
  body_markdown: string
  frontmatter: Record<string, unknown>
  frontmatter_text: string | null
  content_hash: string
}

const head = `a.id, a.type, a.slug, a.name, a.updated_at, v.id as version_id, v.version, v.description,
  v.body_markdown <> '' as has_body, a.tags, m.name as author_name`
const content = `${head}, a.icon_name, a.color, v.changelog, v.body_markdown, v.frontmatter, v.frontmatter_text,
  v.content_hash`
const published = `join asset_version v on v.organization_id = $organization and v.asset_id = a.id
    and v.version = a.published_version`
const author = 'join membership m on m.organization_id = $organization and m.person_id = a.author_id'
const fromIds = `from unnest($ids::text[]) with ordinality w (id, place)
  join asset a on a.organization_id = $organization and a.id = w.id and a.listed and a.status = 'PUBLISHED'
  ${published} ${author}`

const selectHeads = sql<PublishedHeadRow, { ids: readonly string[] }>(
  `select ${head} ${fromIds} order by w.place`,
)
const selectPrompts = sql<PublishedPromptRow, { ids: readonly string[] }>(`
  select ${head}, json_build_object('arguments', v.frontmatter -> 'arguments',
      'argument-hint', v.frontmatter -> 'argument-hint') as frontmatter,
    array(select distinct x[1] from regexp_matches(v.body_markdown, '${placeholderPattern}', 'g') x) as placeholders
  ${fromIds} order by w.place`)
const selectContents = sql<PublishedContentRow, { ids: readonly string[] }>(
  `select ${content} ${fromIds} order by w.place`,
)

/** The published versions of assets that were just listed, in the order of the ids. */
export function publishedHeads(db: Db, ids: readonly string[]): Promise<PublishedHeadRow[]> {
  return db.rows(selectHeads, { ids })
}
export function publishedPrompts(db: Db, ids: readonly string[]): Promise<PublishedPromptRow[]> {
  return db.rows(selectPrompts, { ids })
}
export function publishedContents(db: Db, ids: readonly string[]): Promise<PublishedContentRow[]> {
  return db.rows(selectContents, { ids })
}

const selectBySlug = sql<PublishedContentRow, Reader & { slug: string }>(`
  select ${content} from asset_slug g
  join asset a on a.organization_id = $organization and a.id = g.asset_id and a.listed and a.status = 'PUBLISHED'
  ${published} ${author}
  where g.organization_id = $organization and g.slug = $slug and ${readable}`)

/** The published content under a current or former slug, if the caller may read the asset. */
export function publishedBySlug(
  db: Db,
  reader: Reader,
  slug: string,
): Promise<PublishedContentRow | undefined> {
  return db.first(selectBySlug, { ...reader, slug })
}

const joinVersion = (
  id: string,
) => `join asset_version v on v.organization_id = $organization and v.id = ${id}
    and v.asset_id = a.id and v.published_at is not null ${author}
  where a.organization_id = $organization and a.listed and a.status <> 'ARCHIVED'`

const selectReadable = sql<PublishedContentRow, Reader & { versionId: string }>(
  `select ${content} from asset a ${joinVersion('$versionId')} and ${readable}`,
)

/** The content of a published version, if the asset is not archived and the caller may read it. */
export function readableVersion(
  db: Db,
  reader: Reader,
  versionId: string,
): Promise<PublishedContentRow | undefined> {
  return db.first(selectReadable, { ...reader, versionId })
}

type ExpiringRow = { is_over: boolean } & (PublishedContentRow | { id: null })
const selectForAddress = sql<ExpiringRow, { versionId: string; expires: number }>(`
  select t.now > to_timestamp($expires::int8) as is_over, x.*
  from (select clock_timestamp() as now) t
  left join (select ${content} from asset a ${joinVersion('$versionId')}) x on true`)

/** The content of a published version for any reader, and whether `expires` (seconds since 1970) has passed. */
export async function versionForAddress(
  db: Db,
  versionId: string,
  expires: number,
): Promise<{ isExpired: boolean; row: PublishedContentRow | undefined }> {
  const row = await db.one(selectForAddress, { versionId, expires })
  return { isExpired: row.is_over, row: row.id === null ? undefined : row }
}

/** An attachment as tools see it. */
export type ToolFile = {
  version_id: string
  path: string
  content_type: string
  size: number
  sha256: string
}

const selectFiles = sql<ToolFile, { versionIds: readonly string[] }>(`
  select f.version_id, f.path, f.content_type, f.size, f.sha256 from asset_file f
  where f.organization_id = $organization and f.version_id = any($versionIds::text[])
  order by f.version_id, f.path`)

/** The attachments of each version, ordered by path. */
export async function filesOfVersions(
  db: Db,
  versionIds: readonly string[],
): Promise<Map<string, ToolFile[]>> {
  return Map.groupBy(await db.rows(selectFiles, { versionIds }), file => file.version_id)
}

const selectNow = sql<{ name: string; now_seconds: number }>(`
  select o.name, floor(extract(epoch from clock_timestamp()))::int8 as now_seconds
  from organization o where o.id = $organization`)

/** The name of the organization, and the database's time in seconds since 1970. */
export async function organizationNow(db: Db): Promise<{ name: string; nowSeconds: number }> {
  const row = await db.first(selectNow)
  return { name: row?.name ?? '', nowSeconds: row?.now_seconds ?? 0 }
}
