import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, Page, pageQuery, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'

/** The name shown for authors of other organizations (REV-2). */
export const anonymousName = 'Usuario de otra empresa'

/** A review. Authors of other organizations appear under a constant name, without ids. */
export const Review = Type.Object({
  id: Id,
  entryId: Id,
  rating: Type.Integer(),
  comment: Nullable(Type.String()),
  user: Type.Object({ name: Type.String() }),
  userId: Type.Optional(Id),
  organizationId: Type.Optional(Id),
  isOwn: Type.Boolean(),
  helpfulCount: Type.Integer(),
  helpfulByMe: Type.Boolean(),
  version: Type.String({ description: 'The version that its author had installed' }),
  createdAt: Time,
  updatedAt: Time,
})
export type Review = Static<typeof Review>

const Rating = Type.Integer({ minimum: 1, maximum: 5 })
const Comment = Nullable(Text(limits.reviewComment))

const marketplace = { area: 'studio', module: 'studio', feature: 'marketplace' } as const
const view = { session: { permission: 'STUDIO_MARKETPLACE_VIEW' } } as const
const review = { session: { permission: 'STUDIO_MARKETPLACE_REVIEW' } } as const
const day = { windowSeconds: 86_400, counts: 'successes' } as const
const one = { reviewId: Id }
const Helpful = Type.Object({ id: Id, helpfulCount: Type.Integer(), helpfulByMe: Type.Boolean() })

/** Keeps REV-3 to REV-5. */
export const writeReview = operation('POST /marketplace/entries/:id/reviews', {
  ...marketplace,
  summary: 'Create or replace your review of an entry',
  description:
    'Each person has one review per entry. Requires an approved entry that the caller installed and does not own.',
  auth: review,
  params: { id: Id },
  body: { rating: Rating, comment: Type.Optional(Comment) },
  reply: Review,
  status: 201,
  errors: ['ENTRY_NOT_FOUND', 'ENTRY_NOT_APPROVED', 'ENTRY_OWN', 'ENTRY_NOT_INSTALLED'],
  limit: { bucket: 'marketplace-reviews', times: limits.reviewsPerDay, ...day },
})

/** Keeps REV-9. */
export const listReviews = operation('GET /marketplace/entries/:id/reviews', {
  ...marketplace,
  summary: 'List the reviews of an entry',
  description: 'The most helpful reviews come first, then the newest.',
  auth: view,
  params: { id: Id },
  query: pageQuery,
  reply: Page(Review),
  errors: ['ENTRY_NOT_FOUND'],
})

export const listMyReviews = operation('GET /marketplace/reviews', {
  ...marketplace,
  summary: 'List your own reviews, newest first',
  auth: view,
  query: pageQuery,
  reply: Page(Review),
})

/** Keeps REV-6 and REV-7. */
export const updateReview = operation('PATCH /marketplace/reviews/:reviewId', {
  ...marketplace,
  summary: 'Update your review',
  auth: review,
  params: one,
  body: { rating: Type.Optional(Rating), comment: Type.Optional(Comment) },
  reply: Review,
  errors: ['REVIEW_NOT_FOUND', 'REVIEW_NOT_OWN'],
  limit: { bucket: 'marketplace-review-changes', times: limits.reviewChangesPerDay, ...day },
})

/** Keeps REV-7 and REV-8. */
export const removeReview = operation('DELETE /marketplace/reviews/:reviewId', {
  ...marketplace,
  summary: 'Delete your review',
  auth: review,
  params: one,
  errors: ['REVIEW_NOT_FOUND', 'REVIEW_NOT_OWN'],
})

/** Keeps REV-11 and REV-12. */
export const markHelpful = operation('POST /marketplace/reviews/:reviewId/helpful', {
  ...marketplace,
  summary: 'Mark a review as helpful',
  auth: view,
  params: one,
  reply: Helpful,
  status: 201,
  errors: ['REVIEW_NOT_FOUND', 'REVIEW_OWN'],
  limit: { bucket: 'marketplace-helpful', times: limits.helpfulPerDay, ...day },
})

/** Keeps REV-11. */
export const unmarkHelpful = operation('DELETE /marketplace/reviews/:reviewId/helpful', {
  ...marketplace,
  summary: 'Remove your helpful mark',
  auth: view,
  params: one,
  reply: Helpful,
  errors: ['REVIEW_NOT_FOUND'],
})
