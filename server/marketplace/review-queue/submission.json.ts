import type { Submission, SubmissionDetail } from '#contract/marketplace/review-queue.ts'
import { difference } from '#server/studio/index.ts'
import type { ApprovedRow, ReleaseFileRow, SubmissionDetailRow, SubmissionRow } from './submission.sql.ts'

/** A submission in the queue. */
export function showSubmission(row: SubmissionRow): Submission {
  return {
    entryId: row.entry_id,
    releaseId: row.release_id,
    organizationId: row.publisher_id,
    organizationName: row.publisher_name,
    submittedBy: { id: row.submitted_by, name: row.submitted_by_name },
    name: row.name,
    type: row.type,
    category: row.category,
    version: row.version,
    status: row.status,
    isUpdate: row.is_update,
    findingCounts: { block: row.blocks, warn: row.warns, note: row.notes },
    openReports: row.open_reports,
    reviewedBy: row.reviewed_by_name,
    submittedAt: row.submitted_at,
    decidedAt: row.decided_at,
  }
}

/** A submission with its content and its changes since `approved`. */
export async function showDetail(
  row: SubmissionDetailRow,
  files: readonly ReleaseFileRow[],
  approved: ApprovedRow | undefined,
): Promise<SubmissionDetail> {
  return {
    ...showSubmission(row),
    description: row.description,
    bodyMarkdown: row.body_markdown,
    frontmatter: row.frontmatter,
    frontmatterText: row.frontmatter_text,
    tags: row.tags,
    iconName: row.icon_name,
    color: row.color,
    files: files.map(({ path, size, content_type: contentType, sha256 }) => ({
      path,
      size,
      contentType,
      sha256,
    })),
    releaseNotes: row.changelog,
    digest: row.digest,
    findings: row.findings,
    rejectionReason: row.reason,
    note: row.note,
    difference: approved ? await difference(approved, { ...row, files: [...files] }) : null,
  }
}
