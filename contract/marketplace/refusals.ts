import type { Refusals } from '../refusal.ts'

/** Errors of the marketplace; see contract/errors.ts. */
export const marketplaceRefusals = {
  ENTRY_NOT_FOUND: { status: 404, text: 'The marketplace has no such entry, or you may not see it.' },
  ENTRY_NOT_OWN: {
    status: 403,
    text: 'Only the submitter of this entry and administrators of the organization may change it.',
  },
  ENTRY_OWN: { status: 400, text: 'You cannot install, review or report your own entry.' },
  ENTRY_NOT_APPROVED: { status: 400, text: 'This entry is not approved.' },
  ENTRY_ARCHIVED: { status: 409, text: 'This entry was withdrawn. Submit the asset again.' },
  ENTRY_ALREADY_SUBMITTED: {
    status: 409,
    text: 'This asset is already submitted. Publish a newer version to submit it again.',
  },
  ENTRY_NOT_IN_REVIEW: { status: 409, text: 'No release of this entry is waiting for a decision.' },
  REVIEW_STARTED: { status: 409, text: 'The review of this submission has already started.' },
  RELEASE_CHANGED: { status: 409, text: 'Another release was submitted in the meantime. Read it first.' },
  RELEASE_REFUSED: {
    status: 400,
    text: 'The automatic checks refuse this asset. Fix the findings, publish the asset and submit it again.',
  },
  ASSET_NOT_OWN: { status: 403, text: 'Only the author of an asset may submit it.' },
  ASSET_NOT_PUBLISHED: {
    status: 400,
    text: 'Publish the asset first: only a published version can be submitted.',
  },
  PRICING_NOT_SUPPORTED: { status: 400, text: 'Only free entries are supported: set pricing to FREE.' },
  ENTRY_NOT_INSTALLED: { status: 400, text: 'Install the entry before you review it.' },
  INSTALL_NOT_FOUND: { status: 404, text: 'You have no such install.' },
  INSTALL_UP_TO_DATE: {
    status: 409,
    text: 'This copy is already up to date with the newest approved release.',
  },
  INSTALL_CONFLICT: {
    status: 409,
    text: 'The release and this copy changed the same places. Look at conflicts and choose a side with take.',
  },
  REVIEW_NOT_FOUND: { status: 404, text: 'There is no such review.' },
  REVIEW_NOT_OWN: { status: 403, text: 'Only the author of this review may change it.' },
  REVIEW_OWN: { status: 400, text: 'You cannot mark your own review as helpful.' },
  REPORT_NOT_FOUND: { status: 404, text: 'There is no such report.' },
  REPORT_SETTLED: { status: 409, text: 'This report has already been decided.' },
} as const satisfies Refusals
