import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { FreeObject, Id, Nullable, OneOf, Page, Person, pageQuery, Reason, Text, Time } from '../shapes.ts'
import { assetTypes } from '../studio/assets.ts'
import { VersionDifference } from '../studio/versions.ts'
import { categories, entryStatuses, ReleaseFinding } from './entries.ts'

export const reportStatuses = ['OPEN', 'CONFIRMED', 'DISMISSED'] as const
export const EntryReportStatus = OneOf(reportStatuses)

/** A submission as the review team sees it. */
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
  isUpdate: Type.Boolean({ description: 'Another release of the entry is listed meanwhile' }),
  findingCounts: Type.Object({ block: Type.Integer(), warn: Type.Integer(), note: Type.Integer() }),
  openReports: Type.Integer(),
  reviewedBy: Nullable(Type.String({ description: 'The operator who started or decided the review' })),
  submittedAt: Time,
  decidedAt: Nullable(Time),
}
export const Submission = Type.Object(submission)
export type Submission = Static<typeof Submission>
/** With everything that is needed to decide. */
export const SubmissionDetail = Type.Object({
  ...submission,
  description: Type.String(),
  bodyMarkdown: Type.String(),
  frontmatter: FreeObject,
  frontmatterText: Nullable(
    Type.String({
      description: 'The front matter as it was written, comments included; null when it came as JSON',
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
  note: Nullable(Type.String({ description: 'What the operator who approved it noted for the desk' })),
  difference: Type.Union([VersionDifference, Type.Null()], {
    description: 'To the release that was approved last; null for a first one',
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

const desk = { area: 'operator', auth: { operator: true } } as const
const one = { entryId: Id }
const decided = ['ENTRY_NOT_FOUND', 'ENTRY_NOT_IN_REVIEW'] as const

export const listSubmissions = operation('GET /marketplace/submissions', {
  ...desk,
  summary: 'The queue of the review team, the oldest first',
  description: 'PENDING and UNDER_REVIEW, or those of one `status`, the newest first.',
  query: { status: Type.Optional(OneOf(entryStatuses)), ...pageQuery },
  reply: Page(Submission),
})

export const readSubmission = operation('GET /marketplace/submissions/:entryId', {
  ...desk,
  summary: 'What was submitted, what changed since the last approval, and what the checks found',
  params: one,
  reply: SubmissionDetail,
  errors: ['ENTRY_NOT_FOUND'],
})

export const readSubmittedFile = operation('GET /marketplace/submissions/:entryId/file', {
  ...desk,
  summary: 'One file of what was submitted',
  params: one,
  query: { path: Type.String({ minLength: 1, maxLength: limits.filePathBytes }) },
  responseType: 'application/octet-stream',
  errors: ['ENTRY_NOT_FOUND', 'FILE_NOT_FOUND'],
})

export const startReview = operation('POST /marketplace/submissions/:entryId/start', {
  ...desk,
  summary: 'Start the review of a pending submission',
  params: one,
  reply: Submission,
  errors: [...decided, 'REVIEW_STARTED', 'NOT_ON_YOURSELF'],
})

export const approveSubmission = operation('POST /marketplace/submissions/:entryId/approve', {
  ...desk,
  summary: 'Approve: the release is listed from now on',
  params: one,
  body: {
    releaseId: Id,
    note: Type.Optional(Text(limits.deskNote)),
  },
  reply: Submission,
  errors: [...decided, 'RELEASE_CHANGED', 'NOT_ON_YOURSELF'],
})

export const rejectSubmission = operation('POST /marketplace/submissions/:entryId/reject', {
  ...desk,
  summary: 'Reject, with a reason that the submitter reads',
  params: one,
  body: { releaseId: Id, reason: Reason(limits.deskNote, limits.deskReasonMin) },
  reply: Submission,
  errors: [...decided, 'RELEASE_CHANGED', 'NOT_ON_YOURSELF'],
})

export const featureEntry = operation('POST /marketplace/entries/:entryId/feature', {
  ...desk,
  summary: 'Feature an approved entry until a time',
  params: one,
  body: { until: Time },
  reply: Type.Object({ entryId: Id, featured: Type.Boolean(), featuredUntil: Nullable(Time) }),
  errors: ['ENTRY_NOT_FOUND', 'ENTRY_NOT_APPROVED', 'NOT_ON_YOURSELF'],
})

export const unfeatureEntry = operation('DELETE /marketplace/entries/:entryId/feature', {
  ...desk,
  summary: 'Feature it no longer',
  params: one,
  reply: Type.Object({ entryId: Id, featured: Type.Boolean(), featuredUntil: Nullable(Time) }),
  errors: ['ENTRY_NOT_FOUND'],
})

export const delistEntry = operation('POST /marketplace/entries/:entryId/delist', {
  ...desk,
  summary: 'Take an approved entry out of the catalogue, with a reason that the submitter reads',
  params: one,
  body: { reason: Reason(limits.deskNote, limits.deskReasonMin) },
  reply: Submission,
  errors: ['ENTRY_NOT_FOUND', 'ENTRY_NOT_APPROVED'],
})

export const listEntryReports = operation('GET /marketplace/reports', {
  ...desk,
  summary: 'Reports of entries, the oldest open ones first',
  description: 'Those of one `status`, OPEN when it is absent; settled ones the newest first.',
  query: { status: Type.Optional(OneOf(reportStatuses)), entryId: Type.Optional(Id), ...pageQuery },
  reply: Page(EntryReport),
})

export const settleEntryReport = operation('POST /marketplace/reports/:reportId/settle', {
  ...desk,
  summary: 'Confirm or dismiss a report',
  params: { reportId: Id },
  body: { status: OneOf(['CONFIRMED', 'DISMISSED']), note: Type.Optional(Text(limits.deskNote)) },
  reply: EntryReport,
  errors: ['REPORT_NOT_FOUND', 'REPORT_SETTLED'],
})

export const hideReview = operation('POST /marketplace/reviews/:reviewId/hide', {
  ...desk,
  summary: "Hide a review's text; its rating still counts",
  params: { reviewId: Id },
  body: { reason: Reason(limits.deskNote, limits.deskReasonMin) },
  reply: Type.Object({ id: Id, isHidden: Type.Boolean() }),
  errors: ['REVIEW_NOT_FOUND'],
})

export const showReviewAgain = operation('DELETE /marketplace/reviews/:reviewId/hide', {
  ...desk,
  summary: 'Show the text of a hidden review again',
  params: { reviewId: Id },
  reply: Type.Object({ id: Id, isHidden: Type.Boolean() }),
  errors: ['REVIEW_NOT_FOUND'],
})
