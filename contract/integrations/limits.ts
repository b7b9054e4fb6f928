/** Limits of applications, API keys and webhooks; see contract/limits.ts. */
export const integrationLimits = {
  // external applications
  applicationName: 120,
  applicationSlug: 64,
  applicationDescription: 2_000,
  applicationsPerOrganization: 200,
  applicationOrigin: 255,
  applicationOrigins: 20,
  /** Active keys of an application. */
  applicationKeys: 2,
  applicationKeyName: 60,
  applicationKeyDays: 3_650,
  applicationKeysPerHour: 60,
  /** Revoked or expired keys that stay in the list. */
  endedApplicationKeysMax: 50,
  /** The reason for a critical scope is at least a sentence (SCP-5). */
  criticalScopeReason: 1_000,
  criticalScopeReasonMin: 20,
  /** The purpose of a requested critical scope is at least a sentence (SCP-8). */
  scopeRequestPurpose: 1_000,
  scopeRequestPurposeMin: 20,
  scopeRequestsPerHour: 60,
  /** How long a browser caches the answer to a CORS preflight. */
  preflightSeconds: 600,

  // receivers rely on these (DLV-7)
  webhookAttempts: 5,
  /** Counted from the end of the attempt that failed. */
  webhookWaitSeconds: [5, 10, 20, 40],
  webhookTimeoutSeconds: 10,

  // chosen by the product
  webhookConnectSeconds: 3,
  webhookAnswerBytes: 4_096,
  webhookAnswerReadBytes: 65_536,
  webhookRetentionDays: 30,
  /** An endpoint is paused when this many deliveries in a row failed, over at least this many minutes. */
  webhookHoldDeliveries: 20,
  webhookHoldMinutes: 60,
  /** People who are mailed about a webhook. */
  webhookMailRecipients: 50,
  webhookUrl: 2_048,
  webhookEvent: 100,
  webhookEvents: 200,
  webhookPerSecond: 1_000,
  webhookTestsPerHour: 120,
  webhookSecretsPerHour: 60,
  retiredWebhookSecretsMax: 20,
  /** The health of a webhook counts up to this many deliveries. */
  webhookCounted: 10_000,
  /** Attempts of a delivery, manual retries included. */
  webhookDeliveryAttempts: 1_000,
  webhookAttemptsShown: 100,
  /** A page with two filters scans up to this many deliveries. */
  deliveriesScanned: 5_000,
  /** In a list over all applications, these are divided among them; each gets at least this many. */
  deliveriesScannedEach: 100,
  /** A delivery can be pulled this long after it was written. */
  deliverySettleSeconds: 5,
  recoveryDeliveries: 10_000,
  /** A recovery that filters by event scans up to this many deliveries. */
  recoveryScanned: 50_000,
  recoveryPerSecond: 500,
  recoveryPerSecondDefault: 10,
  recoveriesListedMax: 50,
  /** A replay scans this many of the newest events of the organization. */
  replayScanned: 50_000,
} as const
