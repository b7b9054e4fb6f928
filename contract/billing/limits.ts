/** Numbers of invoices and of what is paid of them. Joined in contract/limits.ts. */
export const billingLimits = {
  // actions on invoices: BIL-11, SND-2, SND-11, PAY-2, PAY-5, PLNK-4
  invoiceActionsPerMinute: 60,
  invoiceSendsPerHour: 100,
  invoiceRecipients: 10,
  invoiceMessage: 2_000,
  paymentReference: 200,
  paymentAmountMin: 0.01,
  invoiceLinkDays: 365,
  // limits that the product chose
  invoiceLinkDaysDefault: 30,
  /** A link that was made for one answer to the bank. */
  actionLinkHours: 72,
  /** A payer who was asked by the bank and does not answer. */
  actionHours: 24,
  externalUserId: 255,
  reversalReason: 500,
  invoiceSeries: 10,
  taxQrUrl: 200,
  invoicePaymentDays: 365,
  invoicePaymentDaysDefault: 30,
  invoiceLines: 500,
  invoiceLineText: 1_000,
  invoiceNotes: 5_000,
  invoiceCents: 1_000_000_000_000,
  invoiceTaxes: 5,
  taxName: 50,
  /** As many payments and rectifying invoices are told with an invoice. */
  invoicePaymentsShown: 200,
  ledgerShown: 1_000,
  /** Of each kind of what is wrong. */
  reconciliationShown: 100,
  differenceReason: 500,
  rectifyingShown: 100,
  invoiceLinksShown: 100,
  portalInvoices: 200,
  invoiceDeliveriesShown: 100,
  /** What a mail server said. */
  mailAnswer: 500,
  /** A message that is given to the mail server; then nobody is at it any more. */
  mailGivenSeconds: 120,
  rectifyingReason: 500,
  invoicesCounted: 10_000,
  invoicePages: 1_000,
  /** Clients whose invoices a search shows. */
  invoiceClientsSought: 100,
  templatesPerOrganization: 200,
  templateName: 100,
  templateSubject: 200,
  templateBody: 10_000,
  /** Tests of templates by a person. */
  templateTestsPerHour: 20,
  consentText: 10_000,
  /** Those that are not revoked. */
  authorizationsPerUser: 20,
  gatewayKey: 255,
  gatewayNoticesPerMinute: 600,
  cardNumber: 30,
  /** A card that somebody is asked for, and does not give. */
  cardPageHours: 24,
  cardPagesPerHour: 60,
  payPagesPerHour: 600,
  paymentsPerHour: 60,
} as const
