/** Numbers of leads, clients, contacts and opportunities. Joined in contract/limits.ts. */
export const crmLimits = {
  // Document 3, Limits
  leadReadsPerHour: 600,
  leadSyncsPerHour: 60,
  leadsByEmailPerHour: 300,
  leadReason: 500,
  leadConvertReasonMin: 20,
  leadConvertReason: 1_000,
  // where Document 3 is silent
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
  /** Filters beside the status look at so many, the newest that fit the first of them. */
  leadsCounted: 10_000,
  /** A search looks at so many that changed last; when enough of them fit, only at those. */
  leadSearchNewest: 1_000,
  leadSearchEnough: 100,
  /** It finds no more than so many others. */
  leadSearchFound: 1_000,
  /** Clients, contacts and opportunities: a list counts so many of them. */
  customersCounted: 10_000,
  leadSyncPage: 1_000,
  leadSyncPageDefault: 200,
  /** An answer about an e-mail leaves at a multiple of this after its request was admitted. */
  leadByEmailMs: 60,
  leadDuplicates: 10,
  leadsAtOnce: 200,
  leadImportBytes: 26_214_400,
  leadImportLines: 50_000,
  leadImportAtOnce: 500,
  leadImportTold: 1_000,
  leadExportPage: 500,
  /** Entries of each list that are handed out as personal data. */
  personalDataEntries: 10_000,
  clientName: 200,
  clientTaxId: 40,
  clientAddress: 300,
  clientPlace: 100,
  clientPostalCode: 20,
  billingContactsPerClient: 50,
  opportunityTitle: 200,
  opportunityCents: 1_000_000_000_000,
} as const
