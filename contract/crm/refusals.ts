import type { Refusals } from '../refusal.ts'

/** The refusals of clients, contacts, opportunities and leads; see contract/errors.ts. */
export const crmRefusals = {
  LEAD_NOT_FOUND: { status: 404, text: 'There is no such lead.' },
  EMAIL_NOT_INDEXED_LEAD: { status: 404, text: 'There is no active lead with this e-mail.' },
  LEAD_ALREADY_QUALIFIED: { status: 409, text: 'The lead is qualified already, or further.' },
  LEAD_ALREADY_DISQUALIFIED: { status: 409, text: 'The lead is disqualified already.' },
  LEAD_ALREADY_LOST: { status: 409, text: 'The lead is lost. Somebody of the team can open it again.' },
  LEAD_ALREADY_CONVERTED: {
    status: 409,
    text: 'The lead is converted: it is a contact now, and does not change any more.',
  },
  LEAD_UPDATE_CONFLICT: {
    status: 409,
    text: 'The lead has changed since it was read. Read it again and repeat what you meant to change.',
  },
  LEAD_CONVERSION_REQUIRES_REASON: {
    status: 422,
    text: 'Say why the lead is converted, in 20 to 1,000 characters.',
  },
  LEAD_MOVE_NOT_ALLOWED: { status: 409, text: 'A lead does not go from its status to that one.' },
  SYNC_CURSOR_EXPIRED: {
    status: 410,
    text: 'This cursor is from before a restore. Begin again without one; leads that you have are told again.',
  },
  CLIENT_NOT_FOUND: { status: 404, text: 'There is no such client.' },
  CLIENT_ARCHIVED: { status: 409, text: 'The client is archived. Take it back first.' },
  BILLING_CONTACT_NOT_FOUND: { status: 404, text: 'The client has no such billing contact.' },
  TOO_MANY_BILLING_CONTACTS: { status: 409, text: 'The client has as many billing contacts as it can have.' },
  CONTACT_NOT_FOUND: { status: 404, text: 'There is no such contact.' },
  CONTACT_ARCHIVED: { status: 409, text: 'The contact is archived. Take it back first.' },
  OPPORTUNITY_NOT_FOUND: { status: 404, text: 'There is no such opportunity.' },
  OPPORTUNITY_CLOSED: { status: 409, text: 'The opportunity is won or lost. Open it again first.' },
  CSV_NOT_READABLE: { status: 400, text: 'This is not a CSV file that can be read. See details.' },
  LEAD_IMPORT_NOT_FOUND: { status: 404, text: 'There is no such import.' },
  LEAD_IMPORT_RUNNING: {
    status: 409,
    text: 'Another import of leads runs. Wait until it has ended, or cancel it.',
  },
  LEAD_IMPORT_ENDED: { status: 409, text: 'This import has ended.' },
  BUDGET_NOT_FOUND: { status: 404, text: 'There is no such budget.', bare: true },
  SIGNATURE_NOT_FOUND: { status: 404, text: 'The budget has no such signature.', bare: true },
  BUDGET_SETTLED: {
    status: 409,
    text: 'The budget is signed, declined or cancelled: it does not change any more.',
  },
  BUDGET_EXPIRED: {
    status: 409,
    text: 'The last day of the offer is over. Whoever made it can extend it: validUntil.',
  },
  BUDGET_EMPTY: { status: 422, text: 'A budget without items cannot be signed.' },
  BUDGET_CODE_TAKEN: { status: 409, text: 'Another budget has this code.' },
  BUDGET_UPDATE_CONFLICT: { status: 409, text: 'The budget has changed since it was read. Read it again.' },
  SIGNING_LINK_NOT_FOUND: { status: 404, text: 'The budget has no such signing link.' },
  SIGNING_LINK_NOT_VALID: { status: 404, text: 'This link is no longer valid. Ask for a new one.' },
  SIGNING_LINK_CLOSED: {
    status: 409,
    text: 'The link is signed, declined, revoked or expired. Issue a new one.',
  },
  TOO_MANY_SIGNING_LINKS: {
    status: 409,
    text: 'The budget has had as many signing links as it can have. Send one that is open again, or duplicate the budget.',
  },
  TOO_MANY_SIGNATURES: { status: 409, text: 'The budget has as many signatures as it can have.' },
  SIGNED_DOCUMENT_DIFFERS: {
    status: 409,
    text: 'What was shown is not what would be signed. Open the page again.',
  },
} as const satisfies Refusals
