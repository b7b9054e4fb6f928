/** Limits of invoices and payments. Joined in contract/limits.ts. */
export const billingLimits = {
  // actions on invoices: BIL-11, SND-2, SND-11, PAY-2, PAY-5, PLNK-4
  invoiceActionsPerMinute: 60,
  invoiceSendsPerHour: 100,
  invoiceRecipients: 10,
  invoiceMessage: 2_000,
  paymentReference: 200,
  paymentAmountMin: 0.01,
  invoiceLinkDays: 365,
  // chosen by the product
  invoiceLinkDaysDefault: 30,
  /** A link with which a payer answers the bank. */
  actionLinkHours: 72,
  /** How long a payer has to answer the bank. */
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
  /** Payments that are shown with an invoice. */
  invoicePaymentsShown: 200,
  ledgerShown: 1_000,
  /** Of each kind of problem. */
  reconciliationShown: 100,
  differenceReason: 500,
  rectifyingShown: 100,
  invoiceLinksShown: 100,
  portalInvoices: 200,
  invoiceDeliveriesShown: 100,
  /** The reply of a mail server. */
  mailAnswer: 500,
  /** After this time no process is still handing a message to the mail server. */
  mailGivenSeconds: 120,
  rectifyingReason: 500,
  invoicesCounted: 10_000,
  /** Newest invoices, payments, charges or refunds that a filter or order without an index of its own examines. */
  billingRowsExamined: 100_000,
  invoicePages: 1_000,
  /** Invoices that one list reads by id. */
  invoicesById: 100,
  /** Invoices that an export reads at once. */
  invoiceExportPage: 500,
  /** Unpaid invoices, and payments of two months, that the summary adds up. */
  invoicesSummed: 100_000,
  /** Newest signed budgets among which those without an invoice are listed. */
  signedBudgetsExamined: 2_000,
  /** Clients whose invoices a search shows. */
  invoiceClientsSought: 100,
  templatesPerOrganization: 200,
  templateName: 100,
  templateSubject: 200,
  templateBody: 10_000,
  reminderRules: 10,
  reminderText: 2_000,
  reminderDaysBefore: 60,
  reminderDaysAfter: 365,
  /** The local hours from which reminders may be sent. */
  reminderHourFirst: 7,
  reminderHourLast: 19,
  reminderHourEnd: 21,
  /** A rule whose day passed longer ago is not sent. */
  reminderLateDays: 3,
  upcomingReminders: 20,
  /** Reminders of one invoice. */
  remindersShown: 100,
  timeZone: 64,
  /** Per person. */
  templateTestsPerHour: 20,
  consentText: 10_000,
  /** Authorizations that are not revoked. */
  authorizationsPerUser: 20,
  gatewayKey: 255,
  gatewayNoticesPerMinute: 600,
  cardNumber: 30,
  /** How long a user has to enter a card. */
  cardPageHours: 24,
  cardPagesPerHour: 60,
  payPagesPerHour: 600,
  paymentsPerHour: 60,
  /** Records in one message to the tax office, and in one exported file. */
  taxRecordsPerDocument: 1_000,
  taxRecordProblemsShown: 50,
  taxRecordChecksPerHour: 12,
  taxRecordExportsPerHour: 20,
  // direct debits: SDD-3, SDD-4, SDD-6, SDD-12
  /** The texts that the rules of the scheme allow. */
  sepaName: 70,
  creditorIdentifier: 35,
  mandateReference: 35,
  /** A mandate that is not used for this long lapses. */
  mandateLapseMonths: 36,
  remittanceInvoices: 200,
  remittanceDaysAhead: 90,
  bankFileCharacters: 2_000_000,
  bankFileEntries: 1_000,
  bankFileDepth: 24,
  reasonCode: 35,
} as const
