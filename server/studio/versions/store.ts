import type { Db, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/statement.ts'

export type NewVersion = {
  id: string
  assetId: string
  version: string
  description: string
  bodyMarkdown: string
  frontmatter: Record<string, unknown>
  changelog: string | null
  contentHash: string
  createdBy: string
}

const insertVersionRow = sql<never, unknown[]>(`
  insert into asset_version (organization_id, asset_id, id, version, description, body_markdown, frontmatter,
    changelog, content_hash, created_by)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`)

export async function insertVersion(tx: Tx, version: NewVersion): Promise<void> {
  const { assetId, id, description, bodyMarkdown, changelog, contentHash, createdBy } = version
  const content = [description, bodyMarkdown, JSON.stringify(version.frontmatter)]
  await tx.run(insertVersionRow, assetId, id, version.version, ...content, changelog, contentHash, createdBy)
}

const rewriteVersionRow = sql<never, unknown[]>(`
  update asset_version v set description = $3, body_markdown = $4, frontmatter = $5, frontmatter_text = null,
    changelog = coalesce($6, v.changelog), content_hash = $7
  where v.organization_id = $1 and v.id = $2 and v.published_at is null`)

/** Puts other content into a version. Returns false, having changed nothing, when it is published. */
export async function rewriteVersion(
  tx: Tx,
  id: string,
  content: Omit<NewVersion, 'id' | 'assetId' | 'version' | 'createdBy'>,
): Promise<boolean> {
  const { description, bodyMarkdown, frontmatter, changelog, contentHash } = content
  const values = [description, bodyMarkdown, JSON.stringify(frontmatter), changelog, contentHash]
  return (await tx.run(rewriteVersionRow, id, ...values)) === 1
}

const selectTaken = sql<{ version: string }, [assetId: string, versions: readonly string[]]>(`
  select v.version from asset_version v
  where v.organization_id = $1 and v.asset_id = $2 and v.version = any($3::text[])`)

/** Which of the version numbers the asset has already. */
export async function takenVersions(
  db: Db,
  assetId: string,
  versions: readonly string[],
): Promise<Set<string>> {
  return new Set((await db.rows(selectTaken, assetId, versions)).map(row => row.version))
}

const setPublished = sql<{ published_at: string }, [id: string, personId: string]>(`
  update asset_version v set published_at = clock_timestamp(), published_by = $3
  where v.organization_id = $1 and v.id = $2 and v.published_at is null
  returning v.published_at`)

/** Marks a version as published and gives the time, or undefined when it was published before. */
export async function publishVersion(tx: Tx, id: string, personId: string): Promise<string | undefined> {
  return (await tx.first(setPublished, id, personId))?.published_at
}
