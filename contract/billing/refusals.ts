import type { Refusals } from '../refusal.ts'

/** The errors of billing; see contract/errors.ts. */
export const billingRefusals = {
  // actions on invoices: BIL-4, INV-6, INV-7, SND-2 to SND-8, PLNK-1, CHG-6 to CHG-10, RFD-4, RFD-5
  INVOICE_NOT_ACCESSIBLE: {
    status: 404,
    text: 'There is no such invoice, or it does not belong to this user.',
  },
  INVOICE_STATE_INVALID: {
    status: 409,
    text:
      'The state of the invoice does not allow this: it is a draft, was voided, or is a rectifying invoice, ' +
      'which only members issue and void.',
  },
  INVOICE_EMAIL_NO_RECIPIENT: {
    status: 422,
    text:
      'No recipient is known for this invoice. Give the client a billing contact, or the user an e-mail ' +
      'address.',
  },
  INVOICE_EMAIL_RECIPIENT_NOT_ALLOWED: {
    status: 422,
    text:
      'Invoices are only sent to addresses that the organization has stored for this client. Nothing was ' +
      'sent.',
  },
  INVOICE_EMAIL_NOT_SENT: {
    status: 502,
    text: 'The mail server did not accept the message. Try again later.',
  },
  INVOICE_ALREADY_PAID: { status: 409, text: 'The invoice is fully paid.' },
  REFUND_NOT_ALLOWED: {
    status: 409,
    text: 'Nothing is left to refund, less than this amount, or not what you saw. See refundableCents.',
  },
  GATEWAY_ACCOUNT_NOT_READY: {
    status: 409,
    text:
      'The organization has no gateway account that is ready. Connect one, or complete its setup at the ' +
      'gateway.',
  },
  INVOICE_PUBLIC_LINK_NOT_AVAILABLE: {
    status: 404,
    text: 'The invoice has no current public link. Issue one.',
  },
  PAYMENT_AUTHORIZATION_REQUIRED: {
    status: 409,
    text: 'The user has no payment authorization that allows this. See nextStep.',
  },
  PAYMENT_AUTHORIZATION_NOT_ACTIVE: {
    status: 409,
    text:
      'The payment authorization waits for its card, was revoked or has expired. Use another one or create ' +
      'one.',
  },
  PAYMENT_METHOD_NOT_FOUND: { status: 404, text: 'The user has no such card.' },
  PAYMENT_METHOD_INACTIVE: { status: 409, text: 'This card can no longer be charged. Use another one.' },
  BILLING_CURRENCY_NOT_SUPPORTED: {
    status: 409,
    text: 'The gateway account does not support this currency; direct debits are in euros.',
  },
  // added by the product
  INVOICE_EMAIL_IN_PROGRESS: {
    status: 409,
    text:
      'The first request with this key is still running or was interrupted. Try again later to get its ' +
      'result.',
  },
  PAYMENT_AMOUNT_EXCEEDS_DUE: { status: 422, text: 'The amount is more than what is due. See dueCents.' },
  PAYMENT_NOT_FOUND: { status: 404, text: 'The invoice has no such payment.' },
  PAYMENT_NOT_REVERSIBLE: {
    status: 409,
    text: 'The gateway collected this payment. Refund it instead: only manual payments can be reversed.',
  },
  PAYMENT_ALREADY_REVERSED: { status: 409, text: 'This payment is already reversed.' },
  INVOICE_PAYMENT_IN_PROGRESS: {
    status: 409,
    text: 'A payment of this invoice is in progress. Try again when it has ended.',
  },
  CHARGE_IN_PROGRESS: {
    status: 409,
    text: 'Another charge of this invoice is in progress. Wait for the event that reports its result.',
  },
  INVOICE_NOT_DRAFT: {
    status: 409,
    text: 'Only a draft can be changed. Rectify an invoice that was issued.',
  },
  INVOICE_HAS_MONEY: {
    status: 409,
    text: 'This invoice has payments. Refund them, or issue a rectifying invoice.',
  },
  INVOICE_RECTIFIED: {
    status: 409,
    text: 'Another invoice rectifies this one. If that was a mistake, void the other one first.',
  },
  RECTIFIED_TOO_MUCH: {
    status: 422,
    text: 'The rectifying invoice would take off more than what is left of the invoice.',
  },
  INVOICE_EMPTY: { status: 422, text: 'An invoice without lines cannot be issued. Add a line.' },
  ISSUER_REQUIRED: {
    status: 409,
    text: 'Set the name, tax id and address of the organization first (PUT /api/crm/issuer).',
  },
  RECIPIENT_INCOMPLETE: { status: 422, text: 'The client lacks data that an invoice requires. See details.' },
  INVOICE_FORMAT_UNAVAILABLE: {
    status: 422,
    text: 'The invoice lacks data that this format requires, or the format has no place for some of it. See details.',
  },
  SPANISH_ISSUER_REQUIRED: {
    status: 409,
    text: 'Tax records need an issuer in Spain with a valid NIF (PUT /api/crm/issuer).',
  },
  TAX_RECORDS_NOT_AVAILABLE: {
    status: 409,
    text: 'The operator of this server has not set up tax records, or the connection to the tax office.',
  },
  TAX_RECORD_NOT_POSSIBLE: {
    status: 422,
    text: 'The invoice cannot be recorded for the tax office as it is. See details.',
  },
  TAX_RECORD_NOT_FOUND: { status: 404, text: 'The invoice has no tax record.' },
  EXTERNAL_USER_NOT_FOUND: {
    status: 404,
    text: 'The application has no such user. Create an invoice with `user` to create them.',
  },
  TEMPLATE_NOT_FOUND: { status: 404, text: 'There is no such template.' },
  TOO_MANY_TEMPLATES: {
    status: 409,
    text: 'The organization has the largest number of templates. Delete one first.',
  },
  GATEWAY_ACCOUNT_NOT_FOUND: { status: 404, text: 'The organization has no gateway account.' },
  GATEWAY_REFUSED: { status: 422, text: 'The gateway refused this. See details.' },
  GATEWAY_NOT_REACHED: { status: 502, text: 'The gateway does not answer. Try again later.' },
  GATEWAY_NOTICE_NOT_VALID: { status: 400, text: 'The signature of this notice is not valid.' },
  TOO_MANY_AUTHORIZATIONS: {
    status: 409,
    text: 'The user has the largest number of payment authorizations. Revoke one first.',
  },
  CARD_PAGE_NOT_VALID: { status: 404, text: 'This link is no longer valid. Ask for a new one.' },
  AUTHORIZATION_NOT_FOUND: { status: 404, text: 'There is no such payment authorization.' },
  CONSENT_OUTDATED: {
    status: 409,
    text: 'This is not the current consent text. Let the user read and accept it again.',
  },
  DIFFERENCE_NOT_FOUND: { status: 404, text: 'There is no such open difference.' },
  BUDGET_NOT_SIGNED: { status: 409, text: 'Only a signed budget can be invoiced.' },
  BUDGET_INVOICED: {
    status: 409,
    text: 'This budget has an invoice already. See invoiceId. Unlink, void or delete that one first.',
  },
  BUDGET_TOO_LONG: {
    status: 422,
    text: 'The budget has more lines and discounts than an invoice can have. Create the invoice by hand.',
  },
  PAYMENT_LINK_NOT_VALID: { status: 404, text: 'This link is no longer valid. Ask for a new one.' },
  // direct debits: SDD-2, SDD-3, SDD-5 to SDD-8, SDD-12, SDD-13
  MANDATE_NOT_FOUND: { status: 404, text: 'There is no such mandate.' },
  MANDATE_REFERENCE_TAKEN: { status: 409, text: 'Another mandate has this reference.' },
  MANDATE_IN_USE: {
    status: 409,
    text: 'A remittance that was not sent uses this mandate. Cancel the remittance, or mark it as sent.',
  },
  MANDATE_REQUIRED: {
    status: 409,
    text: 'The client of an invoice has no active mandate that can be used. See invoiceId.',
  },
  CREDITOR_REQUIRED: {
    status: 409,
    text: 'The organization has no creditor data. Set its creditor identifier and account first.',
  },
  REMITTANCE_NOT_FOUND: { status: 404, text: 'There is no such remittance.' },
  REMITTANCE_STATE_INVALID: {
    status: 409,
    text: 'The state of the remittance does not allow this: it was sent, was cancelled, or was not sent yet.',
  },
  DIRECT_DEBIT_NOT_FOUND: { status: 404, text: 'There is no such direct debit.' },
  BANK_FILE_NOT_READABLE: {
    status: 422,
    text: 'This is not a pain.002 or camt.054 that can be read, or it has too many entries. See details.',
  },
} as const satisfies Refusals
