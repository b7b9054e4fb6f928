/** Limits of the marketplace; see contract/limits.ts. */
export const marketplaceLimits = {
  // The interface and its clients rely on these (Limits in docs/spec/marketplace.md)
  submissionsPerDay: 10,
  reportsPerDay: 20,
  installsPerDay: 100,
  reviewsPerDay: 20,
  reviewChangesPerDay: 40,
  helpfulPerDay: 200,
  entryTags: 15,
  entryTag: 48,
  reportReasonMin: 10,
  reportReason: 1_000,
  reviewComment: 4_000,
  installName: 255,

  // chosen by the product
  /** The review queue: texts of operators, and how long an entry can be featured. */
  reviewQueueNote: 4_000,
  reviewQueueReasonMin: 10,
  /** Automatic checks that an author runs before submitting. */
  checksPerHour: 60,
  featuredDays: 365,
  publisherName: 120,
} as const
