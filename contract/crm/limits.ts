/** Numbers of leads, clients, contacts and opportunities. Joined in contract/limits.ts. */
export const crmLimits = {
  // leads (CRM-11, LEAD-30)
  leadReadsPerHour: 600,
  leadSyncsPerHour: 60,
  leadsByEmailPerHour: 300,
  leadReason: 500,
  leadConvertReasonMin: 20,
  leadConvertReason: 1_000,
  // limits that the product chose
  leadWritesPerHour: 600,
  leadName: 100,
  leadCompany: 200,
  leadPhone: 40,
  leadSource: 50,
  leadStage: 50,
  leadNotes: 10_000,
  leadSearchMin: 2,
  leadSearch: 100,
  leadPages: 1_000,
  /** With other filters than the status, the number of newest leads considered: those that match the first filter. */
  leadsCounted: 10_000,
  /** Values of each field that GET /leads/values lists, and the most leads that it counts for each. */
  leadValues: 50,
  leadValueCount: 1_000,
  /** A search first reads this many of the most recently changed leads, and stops if enough of them match. */
  leadSearchNewest: 1_000,
  leadSearchEnough: 100,
  /** The most older leads that a search returns. */
  leadSearchFound: 1_000,
  /** The most rows that lists of clients, contacts, opportunities and budgets count. */
  customersCounted: 10_000,
  /** A search of budgets or opportunities first reads this many of the newest, and stops if enough of them match. */
  customerSearchNewest: 1_000,
  customerSearchEnough: 100,
  /** The most older budgets or opportunities that a search returns. */
  customerSearchFound: 1_000,
  /** Changes after a cursor, and applications, that the status of the sync counts and lists. */
  leadChangesCounted: 1_000,
  leadReadersListed: 100,
  leadSyncPage: 1_000,
  leadSyncPageDefault: 200,
  /** A reply about an e-mail is sent at a multiple of this time after its request arrived. */
  leadByEmailMs: 60,
  leadDuplicates: 10,
  leadsPerBulkChange: 200,
  leadExportPage: 500,
  /** Entries of each list in an export of personal data. */
  personalDataEntries: 10_000,
  // imports of leads and of clients from CSV
  csvImportBytes: 26_214_400,
  csvImportLines: 50_000,
  csvImportBatch: 500,
  csvImportReportedLines: 1_000,
  csvImportFileName: 255,
  csvImportDays: 30,
  clientName: 200,
  clientTaxId: 40,
  clientAddress: 300,
  clientCity: 100,
  clientPostalCode: 20,
  billingContactsPerClient: 50,
  opportunityTitle: 200,
  opportunityCents: 1_000_000_000_000,
  // budgets
  budgetCode: 40,
  budgetTitle: 200,
  budgetSections: 50,
  budgetItems: 500,
  budgetText: 2_000,
  budgetConditions: 10_000,
  budgetUnit: 20,
  budgetTaxes: 5,
  budgetTaxName: 50,
  budgetDiscounts: 10,
  budgetCents: 1_000_000_000_000,
  // signatures, signing links and the portal
  signatureReadsPerHour: 600,
  signatureVerificationsPerHour: 120,
  signingLinkDays: 365,
  signingLinkDaysDefault: 30,
  /** Between the mails of a link that nobody answers, and how many reminders it gets. */
  signingReminderDays: 60,
  signingReminders: 5,
  /** How long a used link still shows its signer the signed document. */
  signedLinkDays: 365,
  signerName: 200,
  declineReason: 1_000,
  signingLinksPerBudget: 100,
  signersPerRequest: 10,
  letterheadFooter: 400,
  logoBytes: 524_288,
  logoPixels: 2_000_000,
  /** Logos that an organization has uploaded; issued invoices keep theirs. */
  logosPerOrganization: 100,
  /** The least contrast of an accent colour to white (WCAG 2, AA). */
  letterheadContrast: 4.5,
  /** With spaces. */
  iban: 50,
  bic: 11,
  signingMailsPerHour: 200,
  /** The length of a link or session token in a URL or header. */
  publicToken: 200,
  /** Requests per IP address and hour to the public pages. */
  signingPagesPerHour: 600,
  signingsPerHour: 60,
  verificationsPerHour: 120,
  verifiedPdfBytes: 26_214_400,
  userAgent: 500,
  /** The time limit for reading a signed PDF from the file store. */
  signedPdfReadMs: 5_000,
  signaturesImportedPerBudget: 100,
  /** Signatures that one time stamp covers at most, and the pause between two of an organization. */
  signaturesPerTimeStamp: 1_000,
  timeStampSeconds: 60,
  /** The PKCS#12 file of the certificate that seals documents, and its passphrase. */
  sealCertificateBytes: 65_536,
  sealPassphrase: 200,
  waitingSealsCounted: 1_000,
  portalSignInsPerHour: 20,
  portalMailsPerHour: 5,
  portalRequestsPerHour: 1_200,
  portalLinkMinutes: 15,
  portalSessionHours: 12,
  portalBudgets: 200,
  portalGreeting: 500,
  /** Sessions and links of the contacts of a client in one reply. */
  portalAccessShown: 100,
} as const
