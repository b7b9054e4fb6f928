import { limits } from '#contract/limits.ts'
import type { Category, EntryStatus, ReleaseFinding } from '#contract/marketplace/entries.ts'
import type { AssetType } from '#contract/studio/assets.ts'
import type { CrossTenantDb, CrossTenantTx } from '#platform/data/db.ts'
import { crossTenantSql } from '#platform/data/statement.ts'
import { reviewQueueReason } from './submission.access.ts'

/** A release in the review queue. */
export type SubmissionRow = {
  entry_id: string
  release_id: string
  publisher_id: string
  publisher_name: string
  submitted_by: string
  submitted_by_name: string
  name: string
  type: AssetType
  category: Category
  version: string
  status: EntryStatus
  is_update: boolean
  blocks: number
  warns: number
  notes: number
  open_reports: number
  reviewed_by_name: string | null
  submitted_at: string
  decided_at: string | null
}

/** Counts up to this many reports of an entry. */
const maxReports = 1_000

// selects a page of releases `r` first, then joins. Only operators read releases of all organizations
const submissionWith = (
  openReports: string,
) => `r.entry_id, r.id as release_id, r.publisher_id, o.name as publisher_name, r.submitted_by,
  coalesce(m.name, '') as submitted_by_name, r.name, r.type, e.category, r.version, r.status,
  coalesce(e.listed_release_id <> r.id, false) as is_update, f.blocks, f.warns, f.notes, ${openReports},
  p.name as reviewed_by_name, r.submitted_at, r.decided_at`
const submission = submissionWith('k.open_reports')
const joinsOfPublisher = `join market_entry e on e.organization_id = r.publisher_id and e.id = r.entry_id
  join organization o on o.id = r.publisher_id
  left join membership m on m.organization_id = e.organization_id and m.person_id = r.submitted_by
  left join person p on p.id = r.reviewed_by
  cross join lateral (
    select count(*) filter (where x ->> 'severity' = 'block')::int as blocks,
      count(*) filter (where x ->> 'severity' = 'warn')::int as warns,
      count(*) filter (where x ->> 'severity' = 'note')::int as notes from json_array_elements(r.findings) x) f`
const submissionJoins = `${joinsOfPublisher}
  cross join lateral (
    select count(*)::int as open_reports from (
      select from market_report n where n.entry_id = r.entry_id and n.status = 'OPEN' limit ${maxReports}) n) k`

/** Submissions for Citus, which counts the reports of all selected entries at once: they are on other nodes than the entries. */
const submissionsOnCitus = (
  releases: string,
  order = '',
  columns = '',
) => `with r as materialized (${releases}),
  reports as materialized (
    select n.entry_id, least(count(*), ${maxReports})::int as open_reports from market_report n
    where n.status = 'OPEN' and n.entry_id in (select entry_id from r) group by n.entry_id)
  select ${submissionWith('coalesce(k.open_reports, 0) as open_reports')}${columns} from r
  ${joinsOfPublisher} left join reports k on k.entry_id = r.entry_id ${order}`

export const isWaiting = `r.status in ('PENDING', 'UNDER_REVIEW')`
// counts no more than can be paged through; the order keeps the count in the index, even for a rare status
const counted = (condition: string) =>
  `(select count(*)::int from (
    select from market_release r where ${condition} order by r.submitted_at, r.id
    limit ${limits.pageOffset + limits.pageLimit}) n)`

const waitingPage = `select r.* from market_release r where ${isWaiting}
  order by r.submitted_at, r.id limit $limit offset $offset`
// index market_release_queue
const selectQueue = crossTenantSql<SubmissionRow, { limit: number; offset: number }>(
  reviewQueueReason,
  `select ${submission} from (${waitingPage}) r ${submissionJoins} order by r.submitted_at, r.id`,
  { onCitus: submissionsOnCitus(waitingPage, 'order by r.submitted_at, r.id') },
)
const countQueue = crossTenantSql<{ total: number }>(
  reviewQueueReason,
  `select ${counted(isWaiting)} as total`,
)
const pageByStatus = `select r.* from market_release r where r.status = $status
  order by r.submitted_at desc, r.id desc limit $limit offset $offset`
// index market_release_status
const selectByStatus = crossTenantSql<SubmissionRow, { limit: number; offset: number; status: EntryStatus }>(
  reviewQueueReason,
  `select ${submission} from (${pageByStatus}) r ${submissionJoins} order by r.submitted_at desc, r.id desc`,
  { onCitus: submissionsOnCitus(pageByStatus, 'order by r.submitted_at desc, r.id desc') },
)
const countByStatus = crossTenantSql<{ total: number }, { status: EntryStatus }>(
  reviewQueueReason,
  `select ${counted('r.status = $status')} as total`,
)

/** Counts the submissions that wait for an operator. */
export async function countWaiting(db: CrossTenantDb): Promise<number> {
  return (await db.one(countQueue)).total
}

/** A page of waiting submissions, oldest first, or of one status, newest first, with the total. */
export async function pageOfSubmissions(
  db: CrossTenantDb,
  status: EntryStatus | undefined,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: SubmissionRow[]; total: number }> {
  const [rows, count] = await Promise.all(
    status === undefined
      ? [db.rows(selectQueue, { limit, offset }), db.one(countQueue)]
      : [db.rows(selectByStatus, { limit, offset, status }), db.one(countByStatus, { status })],
  )
  return { rows, total: count.total }
}

const lastRelease = `select r.* from market_entry n join market_release r on r.id = n.last_release_id where n.id = $entryId`
const selectOne = crossTenantSql<SubmissionRow, { entryId: string }>(
  reviewQueueReason,
  `select ${submission} from (${lastRelease}) r ${submissionJoins}`,
  { onCitus: submissionsOnCitus(lastRelease) },
)

/** The last submission of an entry. */
export function submissionOf(db: CrossTenantDb, entryId: string): Promise<SubmissionRow> {
  return db.one(selectOne, { entryId })
}

export type SubmissionDetailRow = SubmissionRow & {
  description: string
  body_markdown: string
  frontmatter: Record<string, unknown>
  frontmatter_text: string | null
  tags: string[]
  icon_name: string | null
  color: string | null
  changelog: string | null
  digest: string
  findings: ReleaseFinding[]
  reason: string | null
  note: string | null
}
export type ReleaseFileRow = { path: string; size: number; content_type: string; sha256: string }
/** The previous approved release, for the comparison. */
export type ApprovedRow = Pick<
  SubmissionDetailRow,
  'version' | 'description' | 'body_markdown' | 'frontmatter'
> & {
  files: ReleaseFileRow[]
}

const lastOf = `select n.last_release_id from market_entry n where n.id = $entryId`
const details = `, r.description, r.body_markdown, r.frontmatter, r.frontmatter_text, e.tags, r.icon_name, r.color,
  r.changelog, r.digest, r.findings, r.reason, r.note`
const selectDetail = crossTenantSql<SubmissionDetailRow, { entryId: string }>(
  reviewQueueReason,
  `select ${submission}${details} from market_release r ${submissionJoins} where r.id = (${lastOf})`,
  { onCitus: submissionsOnCitus(lastRelease, '', details) },
)
const selectFiles = crossTenantSql<ReleaseFileRow, { entryId: string }>(
  reviewQueueReason,
  `select f.path, f.size, f.content_type, f.sha256 from market_release_file f
   where f.release_id = (${lastOf}) order by f.path`,
)
// index market_release_entry
const selectApproved = crossTenantSql<ApprovedRow, { entryId: string }>(
  reviewQueueReason,
  `select b.version, b.description, b.body_markdown, b.frontmatter,
     coalesce((select json_agg(json_build_object('path', f.path, 'size', f.size, 'sha256', f.sha256)
       order by f.path)
       from market_release_file f where f.release_id = b.id), '[]'::json) as files
   from market_release r cross join lateral (
     select n.* from market_release n
     where n.entry_id = r.entry_id and (n.submitted_at, n.id) < (r.submitted_at, r.id)
       and n.approved_at is not null
     order by n.submitted_at desc, n.id desc limit 1) b
   where r.id = (${lastOf})`,
)

/** The last submission of an entry, its files and the previous approved release; undefined without such an entry. */
export async function detailOf(
  db: CrossTenantDb,
  entryId: string,
): Promise<
  { row: SubmissionDetailRow; files: ReleaseFileRow[]; approved: ApprovedRow | undefined } | undefined
> {
  const [row, files, approved] = await Promise.all([
    db.first(selectDetail, { entryId }),
    db.rows(selectFiles, { entryId }),
    db.first(selectApproved, { entryId }),
  ])
  return row && { row, files, approved }
}

type FileRow = { entry_id: string } & (ReleaseFileRow | { sha256: null })
const selectFile = crossTenantSql<FileRow, { entryId: string; path: string }>(
  reviewQueueReason,
  `select e.id as entry_id, f.path, f.size, f.content_type, f.sha256 from market_entry e
   left join market_release_file f on f.release_id = e.last_release_id and f.path = $path where e.id = $entryId`,
)

/** A file of the last submission. Undefined if there is no such entry; `sha256` is null if it has no such file. */
export function submittedFile(
  db: CrossTenantDb,
  entryId: string,
  path: string,
): Promise<FileRow | undefined> {
  return db.first(selectFile, { entryId, path })
}

const hide = crossTenantSql<{ id: string }, { reviewId: string; reason: string }>(
  reviewQueueReason,
  `with hidden as (
     insert into market_review_hidden as h (entry_id, author_id, reason)
     select v.entry_id, v.author_id, $reason from market_review v where v.id = $reviewId
     on conflict (entry_id, author_id) do update set reason = excluded.reason returning h.entry_id)
   select $reviewId::text as id from hidden`,
)
const show = crossTenantSql<{ id: string }, { reviewId: string }>(
  reviewQueueReason,
  `with shown as (
     delete from market_review_hidden h using market_review v
     where v.id = $reviewId and h.entry_id = v.entry_id and h.author_id = v.author_id)
   select v.id from market_review v where v.id = $reviewId`,
)

/** Hides the text of a review for a reason, or shows it again (null). False if there is no such review. */
export async function setTextHidden(
  crossTenant: CrossTenantTx,
  reviewId: string,
  reason: string | null,
): Promise<boolean> {
  const found =
    reason === null ? crossTenant.first(show, { reviewId }) : crossTenant.first(hide, { reviewId, reason })
  return (await found) !== undefined
}
