import type { VersionBump } from '#contract/studio/versions.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { bumpVersion, precedenceOf, releaseLineEnd, type StoredContent } from './version.rules.ts'

export type NewVersion = {
  id: string
  assetId: string
  version: string
  description: string
  bodyMarkdown: string
  frontmatter: Record<string, unknown>
  /** The text of imported front matter, with its comments and formatting. */
  frontmatterText: string | null
  changelog: string | null
  contentHash: string
  /** The version that a rollback restored. */
  restoredFrom: string | null
  createdBy: string
}

const insertVersionRow = sql<
  never,
  {
    assetId: string
    id: string
    version: string
    precedence: string
    description: string
    bodyMarkdown: string
    frontmatter: string
    frontmatterText: string | null
    changelog: string | null
    contentHash: string
    restoredFrom: string | null
    createdBy: string
  }
>(`
  insert into asset_version (organization_id, asset_id, id, version, precedence, ordinal, description,
    body_markdown, frontmatter, frontmatter_text, changelog, content_hash, restored_from, created_by,
    created_at)
  select $organization, $assetId, $id, $version, $precedence, o.next, $description, $bodyMarkdown,
    $frontmatter, $frontmatterText, $changelog, $contentHash, $restoredFrom, $createdBy, clock_timestamp()
  from (select coalesce(max(n.ordinal), 0) + 1 as next from asset_version n
    where n.organization_id = $organization and n.asset_id = $assetId) o`)

/**
 * Inserts a version of a new or locked asset. A number that the asset already used violates `asset_version_number`.
 */
export async function insertVersion(tx: Tx, version: NewVersion): Promise<void> {
  await tx.run(insertVersionRow, {
    assetId: version.assetId,
    id: version.id,
    version: version.version,
    precedence: precedenceOf(version.version),
    description: version.description,
    bodyMarkdown: version.bodyMarkdown,
    frontmatter: JSON.stringify(version.frontmatter),
    frontmatterText: version.frontmatterText,
    changelog: version.changelog,
    contentHash: version.contentHash,
    restoredFrom: version.restoredFrom,
    createdBy: version.createdBy,
  })
}

const rewriteVersionRow = sql<
  never,
  {
    id: string
    description: string
    bodyMarkdown: string
    frontmatter: string
    frontmatterText: string | null
    changelog: string | null
    contentHash: string
  }
>(`
  update asset_version v set description = $description, body_markdown = $bodyMarkdown,
    frontmatter = $frontmatter, frontmatter_text = $frontmatterText,
    changelog = coalesce($changelog, v.changelog), content_hash = $contentHash
  where v.organization_id = $organization and v.id = $id and v.published_at is null`)

/** Replaces the content of an unpublished version. Returns false, without a change, if it is published. */
export async function rewriteVersion(
  tx: Tx,
  id: string,
  { description, bodyMarkdown, frontmatter, frontmatterText, hash }: StoredContent,
  changelog: string | null,
): Promise<boolean> {
  const fields = JSON.stringify(frontmatter)
  const touched = await tx.run(rewriteVersionRow, {
    id,
    description,
    bodyMarkdown,
    frontmatter: fields,
    frontmatterText,
    changelog,
    contentHash: hash,
  })
  return touched === 1
}

const setPublished = sql<{ published_at: string }, { id: string; personId: string }>(`
  update asset_version v set published_at = (select clock_timestamp()), published_by = $personId
  where v.organization_id = $organization and v.id = $id and v.published_at is null
  returning v.published_at`)

/** Publishes a version and returns the time, or undefined if it was published before. */
export async function publishVersion(tx: Tx, id: string, personId: string): Promise<string | undefined> {
  return (await tx.first(setPublished, { id, personId }))?.published_at
}

const selectHighest = sql<{ version: string }, { assetId: string; before: string }>(`
  select v.version from asset_version v
  where v.organization_id = $organization and v.asset_id = $assetId and v.precedence < $before
  order by v.precedence desc limit 1`)

/**
 * The next free number for a bump of `version`: one after the highest version of its release line. It stays free while
 * the asset is locked.
 */
export async function nextVersion(
  db: Db,
  assetId: string,
  version: string,
  bump: VersionBump = 'patch',
): Promise<string> {
  const highest = await db.first(selectHighest, { assetId, before: releaseLineEnd(version, bump) })
  return bumpVersion(highest?.version ?? version, bump)
}

const selectContent = sql<
  {
    description: string
    body_markdown: string
    frontmatter: Record<string, unknown>
    frontmatter_text: string | null
    content_hash: string
  },
  { id: string }
>(`
  select v.description, v.body_markdown, v.frontmatter, v.frontmatter_text, v.content_hash
  from asset_version v where v.organization_id = $organization and v.id = $id`)

/** The content of a version. */
export async function contentOf(db: Db, versionId: string): Promise<StoredContent | undefined> {
  const row = await db.first(selectContent, { id: versionId })
  return (
    row && {
      description: row.description,
      bodyMarkdown: row.body_markdown,
      frontmatter: row.frontmatter,
      frontmatterText: row.frontmatter_text,
      hash: row.content_hash,
    }
  )
}
