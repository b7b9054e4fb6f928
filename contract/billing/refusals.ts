import type { Refusals } from '../refusal.ts'

/** The refusals of invoices and of what is paid of them; see contract/errors.ts. */
export const billingRefusals = {
  // actions on invoices: BIL-4, INV-6, INV-7, SND-2 to SND-8, PLNK-1, CHG-6 to CHG-10, RFD-4, RFD-5
  INVOICE_NOT_ACCESSIBLE: { status: 404, text: 'There is no such invoice of this user.' },
  INVOICE_STATE_INVALID: {
    status: 409,
    text: 'The invoice does not allow this: it is a draft, was voided, or rectifies another one, which is for people to issue and to void.',
  },
  INVOICE_EMAIL_NO_RECIPIENT: {
    status: 422,
    text: 'Nobody is known whom this invoice can be sent to. Give the client a billing contact, or the user an e-mail.',
  },
  INVOICE_EMAIL_RECIPIENT_NOT_ALLOWED: {
    status: 422,
    text: 'Invoices are sent to addresses that the organization knows for this client. Nothing was sent.',
  },
  INVOICE_EMAIL_NOT_SENT: { status: 502, text: 'The mail server did not take the message. Try again later.' },
  INVOICE_ALREADY_PAID: { status: 409, text: 'The invoice is fully paid.' },
  REFUND_NOT_ALLOWED: {
    status: 409,
    text: 'Nothing, or not so much, of what the gateway collected can be given back.',
  },
  GATEWAY_ACCOUNT_NOT_READY: {
    status: 409,
    text: 'The organization has no gateway account that is ready. Connect one, or finish what it asks for.',
  },
  INVOICE_PUBLIC_LINK_NOT_AVAILABLE: { status: 404, text: 'The invoice has no public link that is current.' },
  PAYMENT_AUTHORIZATION_REQUIRED: {
    status: 409,
    text: 'The user has not signed a payment authorization that allows this. See nextStep.',
  },
  PAYMENT_AUTHORIZATION_NOT_ACTIVE: {
    status: 409,
    text: 'The payment authorization waits for its card, was revoked or has expired. Use another one, or create one.',
  },
  PAYMENT_METHOD_NOT_FOUND: { status: 404, text: 'The user has no such card.' },
  PAYMENT_METHOD_INACTIVE: { status: 409, text: 'This card cannot be charged any more. Use another one.' },
  BILLING_CURRENCY_NOT_SUPPORTED: {
    status: 409,
    text: 'The gateway account does not take this currency.',
  },
  // refusals that the product added
  INVOICE_EMAIL_IN_PROGRESS: {
    status: 409,
    text: 'The first call with this key has not ended, or was cut off. Ask again later: what came of it is known by then.',
  },
  PAYMENT_AMOUNT_EXCEEDS_DUE: { status: 422, text: 'This is more than what is due.' },
  PAYMENT_NOT_FOUND: { status: 404, text: 'The invoice has no such payment.' },
  PAYMENT_NOT_REVERSIBLE: {
    status: 409,
    text: 'The gateway collected this payment. Refund it: only payments registered by hand can be reversed.',
  },
  PAYMENT_ALREADY_REVERSED: { status: 409, text: 'This payment was reversed before.' },
  INVOICE_PAYMENT_IN_PROGRESS: {
    status: 409,
    text: 'A payment of this invoice is in progress. Wait for what comes of it.',
  },
  CHARGE_IN_PROGRESS: {
    status: 409,
    text: 'Another charge of this invoice is in progress. Wait for the notice of what comes of it.',
  },
  INVOICE_NOT_DRAFT: {
    status: 409,
    text: 'Only a draft can be changed. Rectify an invoice that was issued.',
  },
  INVOICE_HAS_MONEY: {
    status: 409,
    text: 'Money came in for this invoice. Refund it, or issue a rectifying invoice.',
  },
  INVOICE_RECTIFIED: {
    status: 409,
    text: 'Another invoice rectifies this one. If that was a mistake, void that one first.',
  },
  RECTIFIED_TOO_MUCH: { status: 422, text: 'More would be rectified than was invoiced.' },
  INVOICE_EMPTY: { status: 422, text: 'An invoice without lines cannot be issued.' },
  ISSUER_REQUIRED: {
    status: 409,
    text: 'Say first who issues: name, tax id and address of the organization (PUT /api/crm/issuer).',
  },
  RECIPIENT_INCOMPLETE: { status: 422, text: 'An invoice needs more about its client. See details.' },
  EXTERNAL_USER_NOT_FOUND: {
    status: 404,
    text: 'The application has no such user. An invoice that is created with `user` makes them known.',
  },
  TEMPLATE_NOT_FOUND: { status: 404, text: 'There is no such template.' },
  TOO_MANY_TEMPLATES: { status: 409, text: 'There are as many templates as there can be.' },
  GATEWAY_ACCOUNT_NOT_FOUND: { status: 404, text: 'The organization has no gateway account.' },
  GATEWAY_REFUSED: { status: 422, text: 'The gateway does not take this. See details.' },
  GATEWAY_NOT_REACHED: { status: 502, text: 'The gateway does not answer. Try again later.' },
  GATEWAY_NOTICE_NOT_VALID: { status: 400, text: 'This notice is not signed as it should be.' },
  TOO_MANY_AUTHORIZATIONS: {
    status: 409,
    text: 'The user has as many payment authorizations as they can have. Revoke one first.',
  },
  CARD_PAGE_NOT_VALID: { status: 404, text: 'This link is no longer valid. Ask for a new one.' },
  AUTHORIZATION_NOT_FOUND: { status: 404, text: 'There is no such payment authorization.' },
  CONSENT_OUTDATED: { status: 409, text: 'This is not the current consent text. Read and accept it again.' },
  DIFFERENCE_NOT_FOUND: { status: 404, text: 'There is no such difference that is open.' },
  PAYMENT_LINK_NOT_VALID: { status: 404, text: 'This link is no longer valid. Ask for a new one.' },
} as const satisfies Refusals
