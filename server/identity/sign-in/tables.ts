/** better-auth's tables and fields, mapped to the columns of migrations/0002-identity.sql. */
const times = { createdAt: 'created_at', updatedAt: 'updated_at' } as const

export const columns = {
  user: {
    modelName: 'person',
    fields: { emailVerified: 'email_verified', ...times },
    additionalFields: {
      lockedAt: { type: 'date', required: false, input: false, returned: false, fieldName: 'locked_at' },
    },
  },
  session: {
    modelName: 'session',
    fields: {
      userId: 'person_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      ...times,
    },
  },
  account: {
    modelName: 'credential',
    fields: {
      userId: 'person_id',
      accountId: 'account_id',
      providerId: 'provider_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      ...times,
    },
  },
  verification: { modelName: 'verification', fields: { expiresAt: 'expires_at', ...times } },
} as const

export const twoFactorSchema = {
  user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
  twoFactor: {
    modelName: 'two_factor',
    fields: {
      userId: 'person_id',
      backupCodes: 'backup_codes',
      failedVerificationCount: 'failed_verification_count',
      lockedUntil: 'locked_until',
    },
  },
} as const

export const passkeySchema = {
  passkey: {
    modelName: 'passkey',
    fields: {
      userId: 'person_id',
      publicKey: 'public_key',
      credentialID: 'credential_id',
      deviceType: 'device_type',
      backedUp: 'backed_up',
      createdAt: 'created_at',
    },
  },
} as const
