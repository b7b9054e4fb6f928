import type { Category, ReleaseFinding } from '#contract/marketplace/entries.ts'
import type { Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { type SearchTerms, termsSql } from './catalogue/catalogue.terms.ts'

const insertReleaseRow = sql<
  never,
  {
    id: string
    entryId: string
    assetId: string
    versionId: string
    submittedBy: string
    name: string
    digest: string
    findings: string
  }
>(`
  insert into market_release (id, publisher_id, entry_id, asset_id, version_id, version, type, slug, name, description,
    body_markdown, frontmatter, frontmatter_text, icon_name, color, asset_tags, changelog, digest, findings, status,
    submitted_by)
  select $id, $organization, $entryId, a.id, v.id, v.version, a.type, a.slug, $name, v.description,
    v.body_markdown, v.frontmatter,
    v.frontmatter_text, a.icon_name, a.color, a.tags, v.changelog, $digest, $findings::json, 'PENDING', $submittedBy
  from asset a join asset_version v on v.organization_id = $organization and v.asset_id = a.id and v.id = $versionId
  where a.organization_id = $organization and a.id = $assetId`)
const insertReleaseFiles = sql<never, { releaseId: string; versionId: string }>(`
  insert into market_release_file (release_id, path, content_type, size, sha256)
  select $releaseId, f.path, f.content_type, f.size, f.sha256
  from asset_file f where f.organization_id = $organization and f.version_id = $versionId`)

export type NewRelease = {
  id: string
  entryId: string
  assetId: string
  versionId: string
  submittedBy: string
  name: string
  digest: string
  findings: readonly ReleaseFinding[]
}

/** Copies a version of a locked asset into a release; attachments are copied by reference. */
export async function insertRelease(tx: Tx, release: NewRelease): Promise<void> {
  const { id, entryId, assetId, versionId, submittedBy, name, digest } = release
  const findings = JSON.stringify(release.findings)
  await Promise.all([
    tx.run(insertReleaseRow, { id, entryId, assetId, versionId, submittedBy, name, digest, findings }),
    tx.run(insertReleaseFiles, { releaseId: id, versionId }),
  ])
}

export type NewEntry = {
  id: string
  assetId: string
  submittedBy: string
  category: Category
  tags: readonly string[]
  pricing: 'FREE' | 'PREMIUM'
  releaseId: string
  terms: SearchTerms
}
const insertEntryRow = sql<
  never,
  {
    id: string
    assetId: string
    submittedBy: string
    category: Category
    tags: readonly string[]
    pricing: string
    releaseId: string
  } & SearchTerms
>(`
  insert into market_entry (organization_id, id, asset_id, submitted_by, category, tags, pricing, status,
    last_release_id, terms)
  values ($organization, $id, $assetId, $submittedBy, $category, $tags, $pricing, 'PENDING', $releaseId, ${termsSql})`)

/** Inserts the entry of an asset that has none. */
export async function insertEntry(tx: Tx, entry: NewEntry): Promise<void> {
  const { terms, ...columns } = entry
  await tx.run(insertEntryRow, { ...columns, ...terms })
}

const resubmitRow = sql<
  never,
  {
    id: string
    submittedBy: string
    category: Category
    tags: readonly string[]
    pricing: string
    releaseId: string
  } & SearchTerms
>(`
  update market_entry e set submitted_by = $submittedBy, category = $category, tags = $tags,
    pricing = $pricing, status = 'PENDING',
    last_release_id = $releaseId, submitted_at = now(), updated_at = now(), terms = ${termsSql}
  where e.organization_id = $organization and e.id = $id`)

/** Resubmits a locked entry that is not listed. */
export async function resubmitEntry(tx: Tx, entry: Omit<NewEntry, 'assetId'>): Promise<void> {
  const { terms, ...columns } = entry
  await tx.run(resubmitRow, { ...columns, ...terms })
}

const setLastRelease = sql<never, { id: string; releaseId: string }>(`
  update market_entry e set last_release_id = $releaseId, submitted_at = now(), updated_at = now()
  where e.organization_id = $organization and e.id = $id`)

/** Submits a release while another one of the locked entry stays listed. */
export async function addUpdate(tx: Tx, id: string, releaseId: string): Promise<void> {
  await tx.run(setLastRelease, { id, releaseId })
}

const archiveRelease = sql<never, { releaseId: string }>(`
  update market_release r set status = 'ARCHIVED', decided_at = now()
  where r.publisher_id = $organization and r.id = $releaseId and r.status in ('PENDING', 'UNDER_REVIEW')`)

/** Archives a release that waits for a decision. */
export async function archiveWaiting(tx: Tx, releaseId: string): Promise<void> {
  await tx.run(archiveRelease, { releaseId })
}

const archiveEntryRow = sql<never, { id: string }>(`
  update market_entry e set status = 'ARCHIVED', listed_release_id = null, updated_at = now()
  where e.organization_id = $organization and e.id = $id`)

/** Withdraws a locked entry with its waiting release. */
export async function archiveEntry(tx: Tx, entry: { id: string; last_release_id: string }): Promise<void> {
  await Promise.all([tx.run(archiveEntryRow, { id: entry.id }), archiveWaiting(tx, entry.last_release_id)])
}

const selectApproved = sql<{ id: string; submitted_by: string }, { assetId: string }>(`
  select e.id, e.submitted_by from market_entry e
  where e.organization_id = $organization and e.asset_id = $assetId and e.status = 'APPROVED'`)

/** The approved entry of an asset with its submitter. */
export function approvedEntryOf(
  tx: Tx,
  assetId: string,
): Promise<{ id: string; submitted_by: string } | undefined> {
  return tx.first(selectApproved, { assetId })
}

const moveEntry = sql<{ id: string }, { assetId: string; personId: string }>(`
  update market_entry e set submitted_by = $personId
  where e.organization_id = $organization and e.asset_id = $assetId returning e.id`)
// a statement of its own, because Citus changes no row that all nodes have by one that a node has changed
const moveListing = sql<never, { id: string; personId: string }>(`
  update market_listing l set publisher_person_id = $personId
  where l.publisher_id = $organization and l.entry_id = $id`)

/** Transfers the entry of an asset to another person. Its releases keep their submitters. */
export async function setSubmitter(tx: Tx, assetId: string, personId: string): Promise<void> {
  const entry = await tx.first(moveEntry, { assetId, personId })
  if (entry) await tx.run(moveListing, { id: entry.id, personId })
}
