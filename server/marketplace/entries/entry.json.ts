import {
  anonymousPublisher,
  type Category,
  type Entry,
  type EntryItem,
  type EntryStatus,
  type ReleaseFinding,
} from '#contract/marketplace/entries.ts'
import type { AssetType } from '#contract/studio/assets.ts'
import { required } from '#platform/required.ts'
import { isWaiting, ratingAverage } from './entry.rules.ts'

/** An entry in a list. Contains no id of another organization. */
export type EntryItemRow = {
  id: string
  name: string
  description: string
  type: AssetType
  category: Category
  tags: string[]
  pricing: 'FREE' | 'PREMIUM'
  status: EntryStatus
  version: string
  icon_name: string | null
  color: string | null
  /** Null if it has expired. */
  featured_until: string | null
  rating_sum: number
  rating_count: number
  install_count: number
  publisher_name: string | null
  publisher_verified: boolean
  is_own: boolean
  install_id: string | null
  installed_version: string | null
  update_available: boolean | null
  submitted_at: string
  approved_at: string | null
  updated_at: string
}

/** An entry with the content of the shown release, and for its managers with the last submission. */
export type EntryDetailRow = EntryItemRow & {
  body_markdown: string
  frontmatter: Record<string, unknown>
  files: { path: string; size: number; contentType: string }[]
  changelog: string | null
  digest: string
  asset_id: string | null
  last_version: string | null
  last_status: EntryStatus | null
  last_submitted_at: string | null
  last_reason: string | null
  last_findings: ReleaseFinding[] | null
}

/** An entry in a list (ENT-17). */
export function showItem(row: EntryItemRow): EntryItem {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    type: row.type,
    category: row.category,
    tags: row.tags,
    pricing: row.pricing,
    status: row.status,
    version: row.version,
    iconName: row.icon_name,
    color: row.color,
    featured: row.featured_until !== null,
    featuredUntil: row.featured_until,
    ratingAverage: ratingAverage(row.rating_sum, row.rating_count),
    ratingCount: row.rating_count,
    installCount: row.install_count,
    publisher: { displayName: row.publisher_name ?? anonymousPublisher, verified: row.publisher_verified },
    isOwn: row.is_own,
    installed:
      row.install_id === null
        ? null
        : {
            installId: row.install_id,
            installedVersion: required(row.installed_version, 'the version of an install'),
            updateAvailable: required(row.update_available, 'the state of an install'),
          },
    submittedAt: row.submitted_at,
    approvedAt: row.approved_at,
    updatedAt: row.updated_at,
  }
}

/** An entry with its content, and for its managers with the pending release (ENT-17, ENT-18). */
export function showEntry(row: EntryDetailRow): Entry {
  const entry = {
    ...showItem(row),
    bodyMarkdown: row.body_markdown,
    frontmatter: row.frontmatter,
    files: row.files,
    releaseNotes: row.changelog,
    digest: row.digest,
  }
  if (row.asset_id === null) return entry
  const { last_version: version, last_status: status, last_submitted_at: submittedAt, last_findings } = row
  if (version === null || status === null || submittedAt === null || last_findings === null)
    throw new Error(`The entry ${row.id} has an asset and no release`)
  return {
    ...entry,
    assetId: row.asset_id,
    rejectionReason: row.last_reason,
    pendingRelease: isWaiting(status) ? { version, status, submittedAt } : null,
    findings: last_findings,
  }
}
