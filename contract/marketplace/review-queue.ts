import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { FreeObject, Id, Nullable, OneOf, Page, Person, pageQuery, Reason, Text, Time } from '../shapes.ts'
import { assetTypes } from '../studio/assets.ts'
import { VersionDifference } from '../studio/versions.ts'
import { Type } from '../type.ts'
import { categories, entryStatuses, ReleaseFinding } from './entries.ts'

export const reportStatuses = ['OPEN', 'CONFIRMED', 'DISMISSED'] as const
export const EntryReportStatus = OneOf(reportStatuses)

/** A submission as operators see it. */
const submission = {
  entryId: Id,
  releaseId: Id,
  organizationId: Id,
  organizationName: Type.String(),
  submittedBy: Person,
  name: Type.String(),
  type: OneOf(assetTypes),
  category: OneOf(categories),
  version: Type.String(),
  status: OneOf(entryStatuses),
  isUpdate: Type.Boolean({ description: 'Another release of the entry is listed now' }),
  findingCounts: Type.Object({ block: Type.Integer(), warn: Type.Integer(), note: Type.Integer() }),
  openReports: Type.Integer(),
  reviewedBy: Nullable(Type.String({ description: 'The operator who started or decided the review' })),
  submittedAt: Time,
  decidedAt: Nullable(Time),
}
export const Submission = Type.Object(submission)
export type Submission = Static<typeof Submission>
/** A submission with everything that a decision needs. */
export const SubmissionDetail = Type.Object({
  ...submission,
  description: Type.String(),
  bodyMarkdown: Type.String(),
  frontmatter: FreeObject,
  frontmatterText: Nullable(
    Type.String({
      description: 'The front matter as it was written, comments included; null if it was submitted as JSON',
    }),
  ),
  tags: Type.Array(Type.String()),
  iconName: Nullable(Type.String()),
  color: Nullable(Type.String()),
  files: Type.Array(
    Type.Object({
      path: Type.String(),
      size: Type.Integer(),
      contentType: Type.String(),
      sha256: Type.String(),
    }),
  ),
  releaseNotes: Nullable(Type.String()),
  digest: Type.String(),
  findings: Type.Array(ReleaseFinding),
  rejectionReason: Nullable(Type.String()),
  note: Nullable(Type.String({ description: 'A note of the approving operator for other operators' })),
  difference: Type.Union([VersionDifference, Type.Null()], {
    description: 'Compared with the release that was approved last; null for a first release',
  }),
})
export type SubmissionDetail = Static<typeof SubmissionDetail>

const EntryReport = Type.Object({
  id: Id,
  entryId: Id,
  entryName: Type.String(),
  reason: Type.String(),
  status: OneOf(reportStatuses),
  note: Nullable(Type.String()),
  createdAt: Time,
  settledAt: Nullable(Time),
})

const operator = { area: 'operator', auth: { operator: true } } as const
const one = { entryId: Id }
const decisionErrors = ['ENTRY_NOT_FOUND', 'ENTRY_NOT_IN_REVIEW'] as const

export const listSubmissions = operation('GET /marketplace/submissions', {
  ...operator,
  summary: 'List the review queue, oldest first',
  description: 'Lists PENDING and UNDER_REVIEW submissions. With `status`, lists that status, newest first.',
  query: { status: Type.Optional(OneOf(entryStatuses)), ...pageQuery },
  reply: Page(Submission),
})

export const readSubmission = operation('GET /marketplace/submissions/:entryId', {
  ...operator,
  summary: 'Read a submission, its changes since the last approval and the findings of the checks',
  params: one,
  reply: SubmissionDetail,
  errors: ['ENTRY_NOT_FOUND'],
})

export const readSubmittedFile = operation('GET /marketplace/submissions/:entryId/file', {
  ...operator,
  summary: 'Download a file of a submission',
  params: one,
  query: { path: Type.String({ minLength: 1, maxLength: limits.filePathBytes }) },
  responseType: 'application/octet-stream',
  errors: ['ENTRY_NOT_FOUND', 'FILE_NOT_FOUND'],
})

export const startReview = operation('POST /marketplace/submissions/:entryId/start', {
  ...operator,
  summary: 'Start the review of a pending submission',
  params: one,
  reply: Submission,
  errors: [...decisionErrors, 'REVIEW_STARTED', 'NOT_ON_YOURSELF'],
})

export const approveSubmission = operation('POST /marketplace/submissions/:entryId/approve', {
  ...operator,
  summary: 'Approve a submission and list its release',
  params: one,
  body: {
    releaseId: Id,
    note: Type.Optional(Text(limits.reviewQueueNote)),
  },
  reply: Submission,
  errors: [...decisionErrors, 'RELEASE_CHANGED', 'NOT_ON_YOURSELF'],
})

export const rejectSubmission = operation('POST /marketplace/submissions/:entryId/reject', {
  ...operator,
  summary: 'Reject a submission, with a reason for the submitter',
  params: one,
  body: { releaseId: Id, reason: Reason(limits.reviewQueueNote, limits.reviewQueueReasonMin) },
  reply: Submission,
  errors: [...decisionErrors, 'RELEASE_CHANGED', 'NOT_ON_YOURSELF'],
})

export const featureEntry = operation('POST /marketplace/entries/:entryId/feature', {
  ...operator,
  summary: 'Feature an approved entry until a time',
  params: one,
  body: { until: Time },
  reply: Type.Object({ entryId: Id, featured: Type.Boolean(), featuredUntil: Nullable(Time) }),
  errors: ['ENTRY_NOT_FOUND', 'ENTRY_NOT_APPROVED', 'NOT_ON_YOURSELF'],
})

export const unfeatureEntry = operation('DELETE /marketplace/entries/:entryId/feature', {
  ...operator,
  summary: 'Stop featuring an entry',
  params: one,
  reply: Type.Object({ entryId: Id, featured: Type.Boolean(), featuredUntil: Nullable(Time) }),
  errors: ['ENTRY_NOT_FOUND'],
})

export const delistEntry = operation('POST /marketplace/entries/:entryId/delist', {
  ...operator,
  summary: 'Remove an approved entry from the catalogue, with a reason for the submitter',
  params: one,
  body: { reason: Reason(limits.reviewQueueNote, limits.reviewQueueReasonMin) },
  reply: Submission,
  errors: ['ENTRY_NOT_FOUND', 'ENTRY_NOT_APPROVED'],
})

export const listEntryReports = operation('GET /marketplace/reports', {
  ...operator,
  summary: 'List reports of entries, oldest first',
  description: 'Lists reports of one `status`, OPEN by default. Decided reports are listed newest first.',
  query: { status: Type.Optional(OneOf(reportStatuses)), entryId: Type.Optional(Id), ...pageQuery },
  reply: Page(EntryReport),
})

export const settleEntryReport = operation('POST /marketplace/reports/:reportId/settle', {
  ...operator,
  summary: 'Confirm or dismiss a report',
  params: { reportId: Id },
  body: { status: OneOf(['CONFIRMED', 'DISMISSED']), note: Type.Optional(Text(limits.reviewQueueNote)) },
  reply: EntryReport,
  errors: ['REPORT_NOT_FOUND', 'REPORT_SETTLED'],
})

export const hideReview = operation('POST /marketplace/reviews/:reviewId/hide', {
  ...operator,
  summary: "Hide a review's text, but keep its rating",
  params: { reviewId: Id },
  body: { reason: Reason(limits.reviewQueueNote, limits.reviewQueueReasonMin) },
  reply: Type.Object({ id: Id, isHidden: Type.Boolean() }),
  errors: ['REVIEW_NOT_FOUND'],
})

export const showReviewAgain = operation('DELETE /marketplace/reviews/:reviewId/hide', {
  ...operator,
  summary: 'Show the text of a hidden review again',
  params: { reviewId: Id },
  reply: Type.Object({ id: Id, isHidden: Type.Boolean() }),
  errors: ['REVIEW_NOT_FOUND'],
})
