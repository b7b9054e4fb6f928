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

  // streams
  streamBufferBytes: 1_048_576,
  streamReplayHours: 24,
  streamLeaseSeconds: 45,
  reactionCoalesceMs: 250,
} as const

/** Requests per minute and person at the people door, by plan. A burst of one tenth is allowed at once. */
export const requestsPerMinute = { FREE: 600, TEAM: 1_200, BUSINESS: 3_000, ENTERPRISE: 12_000 } as const
