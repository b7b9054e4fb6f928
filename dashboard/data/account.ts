import { CallError } from '#sdk/client.ts'
import { signInRead, signInRequest } from './session.ts'

/** A session of the person, on this or another device. */
export type AccountSession = {
  id: string
  createdAt: string
  expiresAt: string
  ipAddress?: string | null
  userAgent?: string | null
  isCurrent: boolean
}
export type AccountPasskey = {
  id: string
  name?: string | null
  deviceType: string
  backedUp: boolean
  createdAt?: string | null
}
type SignedInUser = { name: string; email: string; twoFactorEnabled?: boolean | null }

/** The signed-in person with the state of the second factor. */
export async function readAccount(): Promise<SignedInUser> {
  const session = await signInRead<{ user: SignedInUser } | null>('/get-session')
  if (!session) throw new Error('Nobody is signed in')
  return session.user
}

export function listSessions(): Promise<AccountSession[]> {
  return signInRead('/list-sessions')
}

export async function endSession(id: string): Promise<void> {
  await signInRequest('/revoke-session', { id })
}

export async function endOtherSessions(): Promise<void> {
  await signInRequest('/revoke-other-sessions', {})
}

/** Changes the password; all other sessions end. Returns how many personal tokens stay valid. */
export async function changePassword(change: {
  currentPassword: string
  newPassword: string
  revokePersonalTokens: boolean
}): Promise<number> {
  const { personalTokens } = await signInRequest<{ personalTokens: number }>('/change-password', change)
  return personalTokens
}

export type TwoFactorSetup = { totpURI: string; backupCodes: string[] }

/** Begins to set up one-time codes; they are asked for after the first correct code. */
export function startTwoFactor(password: string): Promise<TwoFactorSetup> {
  return signInRequest('/two-factor/enable', { password })
}

export async function confirmTwoFactor(code: string): Promise<void> {
  await signInRequest('/two-factor/verify-totp', { code })
}

export async function stopTwoFactor(password: string): Promise<void> {
  await signInRequest('/two-factor/disable', { password })
}

export async function makeBackupCodes(password: string): Promise<string[]> {
  const { backupCodes } = await signInRequest<{ backupCodes: string[] }>(
    '/two-factor/generate-backup-codes',
    { password },
  )
  return backupCodes
}

export function listPasskeys(): Promise<AccountPasskey[]> {
  return signInRead('/passkey/list-user-passkeys')
}

export async function renamePasskey(id: string, name: string): Promise<void> {
  await signInRequest('/passkey/update-passkey', { id, name })
}

export async function deletePasskey(id: string): Promise<void> {
  await signInRequest('/passkey/delete-passkey', { id })
}

/** Lets the browser make a passkey and registers it. False if the person closed the browser's dialog. */
export async function addPasskey(name: string): Promise<boolean> {
  const options = await signInRead<PublicKeyCredentialCreationOptionsJSON>(
    '/passkey/generate-register-options',
  )
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  try {
    const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
    await signInRequest('/passkey/verify-registration', { response: credential.toJSON(), name })
    return true
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotAllowedError') return false
    throw error
  }
}

/** Whether the action needs a sign-in within the last day, so the person must give the password again. */
export function needsFreshSignIn(error: unknown): boolean {
  return error instanceof CallError && error.body.errorCode === 'SESSION_NOT_FRESH'
}
