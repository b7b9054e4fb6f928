import type { Refusals } from '../refusal.ts'

/** The refusals of the marketplace; see contract/errors.ts. */
export const marketplaceRefusals = {
  ENTRY_NOT_FOUND: { status: 404, text: 'There is no such entry in the marketplace, or you may not see it.' },
  ENTRY_NOT_OWN: {
    status: 403,
    text: 'Only the submitter of this entry and administrators of the organization may change it.',
  },
  ENTRY_OWN: { status: 400, text: 'This is your own entry: you cannot install, review or report it.' },
  ENTRY_NOT_APPROVED: { status: 400, text: 'This entry is not approved.' },
  ENTRY_ARCHIVED: { status: 409, text: 'This entry was withdrawn. Submit the asset again.' },
  ENTRY_ALREADY_SUBMITTED: {
    status: 409,
    text: 'This asset is submitted already, and has no newer published version.',
  },
  ENTRY_NOT_IN_REVIEW: { status: 409, text: 'Nothing of this entry waits for a decision.' },
  REVIEW_STARTED: { status: 409, text: 'Somebody started the review of this submission already.' },
  RELEASE_CHANGED: { status: 409, text: 'Another release was submitted meanwhile. Read it first.' },
  RELEASE_REFUSED: {
    status: 400,
    text: 'The automatic checks refuse this asset. Remove what findings name, publish it and submit it again.',
  },
  ASSET_NOT_OWN: { status: 403, text: 'Only the author of an asset may submit it.' },
  ASSET_NOT_PUBLISHED: { status: 400, text: 'Publish the asset first: its published version is submitted.' },
  PRICING_NOT_SUPPORTED: { status: 400, text: 'Entries are free for now: pricing must be FREE.' },
  ENTRY_NOT_INSTALLED: { status: 400, text: 'Install the entry first: reviews come from who uses it.' },
  INSTALL_NOT_FOUND: { status: 404, text: 'You have no such install.' },
  INSTALL_UP_TO_DATE: { status: 409, text: 'This copy holds the newest approved release already.' },
  INSTALL_CONFLICT: {
    status: 409,
    text: 'The release and this copy changed the same places. See conflicts, and choose with take.',
  },
  REVIEW_NOT_FOUND: { status: 404, text: 'There is no such review.' },
  REVIEW_NOT_OWN: { status: 403, text: 'Only who wrote this review may change it.' },
  REVIEW_OWN: { status: 400, text: 'You cannot mark your own review as helpful.' },
  REPORT_NOT_FOUND: { status: 404, text: 'There is no such report.' },
  REPORT_SETTLED: { status: 409, text: 'This report is settled already.' },
} as const satisfies Refusals
