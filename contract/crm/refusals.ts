import type { Refusals } from '../refusal.ts'

/** The errors of customer relations; see contract/errors.ts. */
export const crmRefusals = {
  LEAD_NOT_FOUND: { status: 404, text: 'The lead does not exist.' },
  EMAIL_NOT_INDEXED_LEAD: { status: 404, text: 'No open lead has this e-mail.' },
  LEAD_ALREADY_QUALIFIED: { status: 409, text: 'The lead is already qualified or in a later status.' },
  LEAD_ALREADY_DISQUALIFIED: { status: 409, text: 'The lead is already disqualified.' },
  LEAD_ALREADY_LOST: { status: 409, text: 'The lead is lost. A member of the team can reopen it.' },
  LEAD_ALREADY_CONVERTED: {
    status: 409,
    text: 'The lead was converted into a contact and can no longer change.',
  },
  LEAD_UPDATE_CONFLICT: {
    status: 409,
    text: 'The lead has changed since it was read. Read it again and repeat the change.',
  },
  LEAD_CONVERSION_REQUIRES_REASON: {
    status: 422,
    text: 'Give a reason for the conversion, with 20 to 1,000 characters.',
  },
  LEAD_MOVE_NOT_ALLOWED: { status: 409, text: 'A lead cannot move from its current status to this one.' },
  SYNC_CURSOR_EXPIRED: {
    status: 410,
    text: 'The cursor expired because the server was restored from a backup. Start again without a cursor; all leads are returned again.',
  },
  CLIENT_NOT_FOUND: { status: 404, text: 'The client does not exist.' },
  CLIENT_ARCHIVED: { status: 409, text: 'The client is archived. Restore it first.' },
  BILLING_CONTACT_NOT_FOUND: { status: 404, text: 'The billing contact does not exist.' },
  TOO_MANY_BILLING_CONTACTS: {
    status: 409,
    text: 'The client has reached the limit of billing contacts. Remove one first.',
  },
  CONTACT_NOT_FOUND: { status: 404, text: 'The contact does not exist.' },
  CONTACT_ARCHIVED: { status: 409, text: 'The contact is archived. Restore it first.' },
  OPPORTUNITY_NOT_FOUND: { status: 404, text: 'The opportunity does not exist.' },
  OPPORTUNITY_CLOSED: { status: 409, text: 'The opportunity is closed. Reopen it first.' },
  CSV_NOT_READABLE: { status: 400, text: 'The CSV file is not readable. See details.' },
  LEAD_IMPORT_NOT_FOUND: { status: 404, text: 'The import does not exist.' },
  LEAD_IMPORT_RUNNING: {
    status: 409,
    text: 'Another import of leads is running. Wait until it ends, or cancel it.',
  },
  LEAD_IMPORT_ENDED: { status: 409, text: 'This import has ended.' },
  CLIENT_IMPORT_NOT_FOUND: { status: 404, text: 'The import does not exist.' },
  CLIENT_IMPORT_RUNNING: {
    status: 409,
    text: 'Another import of clients is running. Wait until it ends, or cancel it.',
  },
  CLIENT_IMPORT_ENDED: { status: 409, text: 'This import has ended.' },
  BUDGET_NOT_FOUND: { status: 404, text: 'The budget does not exist.', bare: true },
  SIGNATURE_NOT_FOUND: { status: 404, text: 'The signature does not exist.', bare: true },
  SEAL_NOT_FOUND: { status: 404, text: 'The budget has no sealed document.' },
  TIME_STAMP_NOT_FOUND: { status: 404, text: 'No time stamp covers the signature.' },
  BUDGET_SETTLED: {
    status: 409,
    text: 'The budget is signed, declined or cancelled and can no longer change.',
  },
  BUDGET_EXPIRED: {
    status: 409,
    text: 'The budget has expired. Its issuer can set a later validUntil.',
  },
  BUDGET_EMPTY: { status: 422, text: 'The budget has no items. Add an item first.' },
  BUDGET_CODE_TAKEN: { status: 409, text: 'Another budget has this code. Choose a different one.' },
  BUDGET_UPDATE_CONFLICT: { status: 409, text: 'The budget has changed since it was read. Read it again.' },
  SIGNING_LINK_NOT_FOUND: { status: 404, text: 'The signing link does not exist.' },
  SIGNING_LINK_NOT_VALID: { status: 404, text: 'This link is no longer valid. Ask for a new one.' },
  SIGNING_LINK_CLOSED: {
    status: 409,
    text: 'The link was used, declined or revoked, or has expired. Issue a new one.',
  },
  TOO_MANY_SIGNING_LINKS: {
    status: 409,
    text: 'The budget has reached the limit of signing links. Resend an open link, or duplicate the budget.',
  },
  TOO_MANY_SIGNATURES: { status: 409, text: 'The budget has reached the limit of signatures.' },
  SIGNATURE_REQUEST_OPEN: {
    status: 409,
    text: 'Several people are signing the budget with their own links. Stop that request first.',
  },
  SIGNATURE_REQUEST_NOT_FOUND: { status: 404, text: 'The signature request does not exist.' },
  SIGNATURE_REQUEST_ENDED: {
    status: 409,
    text: 'The signature request was completed, declined or stopped. Create a new one.',
  },
  SIGNER_NOT_FOUND: { status: 404, text: 'The signature request has no such signer.' },
  SIGNER_HAS_SIGNED: { status: 409, text: 'The signer has signed and cannot be replaced.' },
  SIGNED_DOCUMENT_DIFFERS: {
    status: 409,
    text: 'The document has changed since the page was opened. Open the page again.',
  },
} as const satisfies Refusals
