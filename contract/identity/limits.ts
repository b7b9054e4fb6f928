/** Limits of organizations, people, sign-in and tokens; see contract/limits.ts. */
export const identityLimits = {
  // sign-in and tokens
  sessionTokenMinutes: 15,
  streamTokenSeconds: 60,
  personName: 120,
  email: 254,
  invitationDays: 7,
  organizationName: 120,
  organizationAddress: 40,
  organizationAddressMin: 3,
  /** The current and the former addresses of an organization. */
  organizationAddresses: 20,
  unitName: 120,
  roleName: 60,
  operatorReason: 1_000,
  /** The shortest reason for suspending an organization, in characters. */
  operatorReasonMin: 20,
  operatorLockReasonMin: 3,
  invitationSecret: 64,
  invitationsPerHour: 200,
  invitationTriesPerHour: 20,
  /** Mails of the queue, and refused mails, that operators can list. */
  operatorMails: 10_000,
  refusedMailDays: 30,
  mailKind: 60,
  invitationsAtOnce: 50,
  auditExportRows: 100_000,
  auditExportsPerHour: 20,
  bulkInvitationsPerHour: 8,
  auditVerificationsPerHour: 60,
  auditOperation: 200,
  /** The largest count of the overview. */
  overviewCount: 10_000,
  /** After this time an untouched lead is listed, and before it the end of a budget. */
  overviewDays: 7,
  overviewSignedDays: 30,
  overviewChannels: 200,
  inboxItems: 100,
  inboxDays: 30,
  /** Rows of a table that one part of the inbox reads. */
  inboxScanned: 2_000,
  inboxItemId: 160,
  /** Single items of a person that are marked as done; a new mark replaces the oldest. */
  inboxMarks: 1_000,
  personalTokens: 20,
  personalTokensPerHour: 60,
  personalTokenName: 60,
  /** How long the address of a tool that sends no headers works. */
  toolAddressMinutes: 15,
  documentAddressSeconds: 60,
  documentsOpenedPerHour: 600,
  personalTokenDays: 365,
  personalTokenDaysDefault: 90,
  /** How long an expired or revoked personal token stays in the list. */
  personalTokenRetentionDays: 30,
  provisioningTokens: 5,
  provisioningTokensPerHour: 60,
  provisioningTokenName: 60,
  provisioningTokenDays: 365,
  /** Users or groups of one answer. */
  provisionedUsersAtOnce: 100,
  provisionedGroupsAtOnce: 20,
  /** The largest position of a list. */
  provisioningStartIndex: 100_000,
  /** Members that one request adds to a group, or removes. */
  provisionedMembersAtOnce: 1_000,
  provisioningText: 255,
  provisioningPatchOperations: 1_000,
  viewName: 100,
  /** Saved views: of one person that are not shared, and shared ones of an organization. */
  viewsPerPerson: 50,
  sharedViews: 100,
  viewFilterBytes: 4_096,
} as const
