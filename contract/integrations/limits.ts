/** The numbers of applications, their keys and webhooks; see contract/limits.ts. */
export const integrationLimits = {
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
  /** A critical scope is given with a reason of at least a sentence (SCP-5). */
  criticalScopeReason: 1_000,
  criticalScopeReasonMin: 20,
  /** For how long a browser need not ask again whether it may. */
  preflightSeconds: 600,

  // promised to receivers: DLV-7
  webhookAttempts: 5,
  /** Counted from the end of the attempt that failed. */
  webhookWaitSeconds: [5, 10, 20, 40],
  webhookTimeoutSeconds: 10,

  // our choice
  webhookConnectSeconds: 3,
  webhookAnswerBytes: 4_096,
  webhookAnswerReadBytes: 65_536,
  webhookRetentionDays: 30,
  webhookShards: 64,
  /** An endpoint is held when so many deliveries in a row failed, over so long. */
  webhookHoldDeliveries: 20,
  webhookHoldMinutes: 60,
  /** Of the people who are mailed about a webhook so many get the mail. */
  webhookMailRecipients: 50,
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
