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

  // external applications
  applicationName: 120,
  applicationSlug: 64,
  applicationDescription: 2_000,
  applicationsPerOrganization: 200,
  applicationOrigin: 255,
  applicationOrigins: 20,
  /** Keys of an application that work at a time. */
  applicationKeys: 2,
  applicationKeyName: 60,
  applicationKeyDays: 3_650,
  applicationKeysPerHour: 60,
  /** Of its keys that are over so many stay in the list. */
  applicationKeysKept: 50,
  /** Who gives a critical scope says why in a sentence. Document 3, Authentication 4. */
  criticalScopeReason: 1_000,
  criticalScopeReasonMin: 20,
  /** For how long a browser need not ask again whether it may. */
  preflightSeconds: 600,

  // error reporting. Document 2, Limits
  errorMessage: 2_000,
  errorModule: 100,
  errorStack: 10_000,
  errorFile: 500,
  errorFunction: 200,
  errorEndpoint: 500,
  errorUserId: 255,
  errorsPageLimit: 200,
  topErrors: 10,
  // where Document 2 is silent
  errorRequestId: 255,
  errorOccurrences: 1_000,
  errorReportBytes: 262_144,
  errorContextBytes: 16_384,
  errorContextDepth: 8,
  /** Reports of a key in an hour, so many of them at once; the rest comes back evenly. */
  errorReportsPerHour: 6_000,
  errorReportsBurst: 1_000,
  errorReadsPerHour: 600,
  /** Reports that wait to be written in one process. */
  errorReportsWaiting: 20_000,
  /** Beyond so many new errors of an application in an hour, one of each module stands for the rest. */
  newErrorsPerHour: 300,
  overflowsPerHour: 50,
  /** Samples: the first ones of each hour, then one of ever more; so many are kept. */
  errorSamplesPerHour: 20,
  errorSamples: 50,
  errorSamplesPerFlush: 8,
  errorRegressionSamples: 10,
  errorUsers: 1_000,
  errorGraceMinutes: 10_080,
  errorSilenceCount: 1_000_000,
  errorHours: 720,
  errorHistory: 100,
  errorSampleDays: 30,
  errorHourDays: 90,
  errorDays: 400,
  ticketTitle: 255,
  ticketNote: 4_000,

  // streams
  streamBufferBytes: 1_048_576,
  streamReplayHours: 24,
  streamLeaseSeconds: 45,
  reactionCoalesceMs: 250,

  // Document 2, Limits: chat
  channelName: 120,
  channelDescription: 500,
  /** Messages that an application publishes. */
  messagesPerHour: 600,
  // where Document 2 is silent
  messageContent: 10_000,
  messagesPage: 100,
  messagesPageDefault: 50,
  messageMentions: 50,
  messageReaders: 50,
  messageSearchResults: 50,
  /** Mentions that a page passes over at most, readable or not. */
  mentionsLooked: 1_000,
  /** The newest messages, among which a search looks for common words. */
  searchLookedNewest: 1_000,
  directPeople: 20,
  membersPerChannel: 10_000,
  channelsPerOrganization: 50_000,
  /** Their list is sorted by what happened last, each time that it is read. */
  channelsPerPerson: 2_000,
  grantsPerChannel: 100,
  customerReference: 255,
  agentName: 120,
  agentDescription: 2_000,
  agentPurpose: 4_000,
  agentTasks: 20,
  agentSchedule: 120,
  agentTimeZone: 64,
  agentNote: 1_000,
  agentSummary: 4_000,
  agentsPerApplication: 100,
  agentProposalDays: 14,
  agentExecutionsPerHour: 600,
  /** So far the clock of who reports an execution may be ahead of ours. */
  agentClockMinutes: 5,
  agentCostMicros: 10_000_000_000,
  agentCapMicros: 1_000_000_000_000,

  // Document 2, Limits: webhooks
  webhookAttempts: 5,
  /** Counted from the end of the attempt that failed. */
  webhookWaitSeconds: [5, 10, 20, 40],
  webhookTimeoutSeconds: 10,
  // where Document 2 is silent
  webhookConnectSeconds: 3,
  webhookAnswerBytes: 4_096,
  webhookAnswerReadBytes: 65_536,
  webhookRetentionDays: 30,
  webhookShards: 64,
  /** An endpoint is held when so many deliveries in a row failed, over so long. */
  webhookHoldDeliveries: 20,
  webhookHoldMinutes: 60,
  webhookUrl: 2_048,
  webhookEvent: 100,
  webhookEvents: 200,
  webhookPerSecond: 1_000,
  webhookTestsPerHour: 120,
  webhookSecretsPerHour: 60,
  webhookSecretsKept: 20,
  /** Counts of a webhook's health end here. */
  webhookCounted: 10_000,
  /** Attempts that a delivery can have, with those on somebody's word. */
  webhookDeliveryAttempts: 1_000,
  webhookAttemptsShown: 100,
  /** With two filters a page looks at so many deliveries, found or not. */
  deliveriesLooked: 5_000,
  /** A delivery can be pulled so long after it was written. */
  deliverySettleSeconds: 5,
  recoveryDeliveries: 10_000,
  /** Of those with one status so many are looked at for an event's name. */
  recoveryLooked: 50_000,
  recoveryPerSecond: 500,
  recoveryPerSecondDefault: 10,
  recoveriesKept: 50,
  /** The newest events of the organization that a replay looks at. */
  replayLooked: 50_000,
} as const

/** Requests per minute and person, or key at the application door, by plan. A burst of one tenth is allowed at once. */
export const requestsPerMinute = { FREE: 600, TEAM: 1_200, BUSINESS: 3_000, ENTERPRISE: 12_000 } as const
