/** Limits of organizations, people, sign-in and tokens; see contract/limits.ts. */
export const identityLimits = {
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
  /** The shortest reason for suspending an organization, in characters. */
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
  /** How long the address of a tool that sends no headers works. */
  toolAddressMinutes: 15,
  personalTokenDays: 365,
  personalTokenDaysDefault: 90,
  /** How long an expired or revoked personal token stays in the list. */
  personalTokenRetentionDays: 30,
  viewName: 100,
  /** Saved views: of one person that are not shared, and shared ones of an organization. */
  viewsPerPerson: 50,
  sharedViews: 100,
  viewFilterBytes: 4_096,
} as const
