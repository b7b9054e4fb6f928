/** Every number of the documents and of the house, in one place. Units stand last in each name. */
export const limits = {
  // Document 1, Limits
  assetName: 255,
  assetIconName: 64,
  assetColor: 32,
  pageLimit: 100,
  pageLimitDefault: 20,
  streamsPerPerson: 5,
  streamHeartbeatSeconds: 20,

  submissionsPerDay: 10,
  reportsPerDay: 20,
  installsPerDay: 100,
  reviewsPerDay: 20,
  reviewChangesPerDay: 40,
  helpfulPerDay: 200,
  entryTags: 15,
  entryTag: 48,
  reportReasonMin: 10,
  reportReason: 1_000,
  /** With spaces around it, which are taken off. */
  reportReasonSent: 4_000,
  reviewComment: 4_000,
  installName: 255,

  // where Document 1 is silent
  assetDescription: 4_000,
  assetBody: 500_000,
  assetTags: 50,
  assetTag: 48,
  assetDepartments: 100,
  assetCollections: 50,
  assetSlug: 64,
  assetVersion: 64,
  assetChangelog: 4_000,
  deletedAssetDays: 30,
  /** Differences: lines around a change, lines that are compared, common ones that may move, fields told apart. */
  differenceContext: 3,
  differenceLines: 100_000,
  differenceEdits: 500,
  differenceFields: 500,
  /** Attachments. */
  fileBytes: 104_857_600,
  filePathBytes: 255,
  filePathDepth: 8,
  filesPerUpload: 100,
  filesPerVersion: 1_000,
  versionBytes: 1_073_741_824,
  fileAddressMinutes: 5,
  unreferencedFileHours: 24,
  uploadSeconds: 900,
  /** An upload that stands still for so long is given up. */
  uploadSilenceSeconds: 30,
  /** So is a download of which nothing is taken, and one that takes too long. */
  downloadSilenceSeconds: 30,
  downloadSeconds: 3_600,
  /** Packages, as archives and unpacked. */
  packageBytes: 26_214_400,
  packageUnpackedBytes: 52_428_800,
  packageFileBytes: 10_485_760,
  packageFiles: 1_000,
  packageRatio: 100,
  collectionName: 120,
  collectionDescription: 2_000,
  collectionDepth: 8,
  collectionsPerOrganization: 10_000,
  /** When a collection is deleted, the change is announced for so many of the assets that were filed in it. */
  unfiledAnnounced: 1_000,
  linkNote: 1_000,
  linksPerAsset: 1_000,
  granteesPerShare: 100,
  sharesPerAsset: 1_000,
  shareDays: 365,
  expiredShareDays: 30,
  /** What tools read: assets in an index, resources on a page, bytes of one resource, minutes of an address. */
  toolCatalogue: 1_000,
  toolPage: 100,
  toolResourceBytes: 10_485_760,
  packageAddressMinutes: 60,
  packageFileName: 100,
  rpcMethod: 100,
  /** The review desk: what operators write, and how long an entry can be featured. */
  deskNote: 4_000,
  deskReasonMin: 10,
  /** Automatic checks that authors ask for before they submit. */
  checksPerHour: 60,
  featuredDays: 365,
  publisherName: 120,
  entityType: 64,
  entityId: 255,
  search: 200,
  /** A search ranks, returns and counts no more than this many assets. */
  searchResults: 100,
  /** Deeper pages are refused: narrow the filters instead. Keeps every page as fast as the first. */
  pageOffset: 10_000,

  // the doors
  bodyBytes: 1_048_576,
  jsonDepth: 32,
  id: 64,
  requestId: 128,
  idempotencyKey: 255,
  idempotencyHours: 24,

  // sign-in and tokens
  sessionTokenMinutes: 15,
  streamTokenSeconds: 60,
  personName: 120,
  email: 254,
  invitationDays: 7,
  organizationName: 120,
  unitName: 120,
  roleName: 60,
  operatorReason: 1_000,
  /** An operator who suspends an organization says why in a sentence. */
  operatorReasonMin: 20,
  operatorLockReasonMin: 3,
  invitationSecret: 64,
  invitationsPerHour: 200,
  invitationTriesPerHour: 20,
  auditVerificationsPerHour: 60,
  auditOperation: 200,
  personalTokens: 20,
  personalTokensPerHour: 60,
  personalTokenName: 60,
  /** An address for a tool that sends no headers works for so long. */
  toolAddressMinutes: 15,
  personalTokenDays: 365,
  personalTokenDaysDefault: 90,
  /** A personal token that is over stays in the list for so long. */
  personalTokenKeptDays: 30,

  // streams
  streamBufferBytes: 1_048_576,
  streamReplayHours: 24,
  streamLeaseSeconds: 45,
  reactionCoalesceMs: 250,
} as const

/** Requests per minute and person at the people door, by plan. A burst of one tenth is allowed at once. */
export const requestsPerMinute = { FREE: 600, TEAM: 1_200, BUSINESS: 3_000, ENTERPRISE: 12_000 } as const
