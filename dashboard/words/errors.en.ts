/**
 * The codes of sign-in in English. The other codes have their English text in the reply of the server, which
 * sometimes says more, for instance which limit was reached.
 */
export const signInErrorTextsEn: Readonly<Record<string, string>> = {
  INVALID_EMAIL_OR_PASSWORD: 'The e-mail address or the password is wrong. Check both.',
  PERSON_LOCKED: 'This account is locked. Ask the operator of this server.',
  INVALID_ORIGIN: 'The request comes from another site. Open Patio at its own address.',
  ACCOUNT_TEMPORARILY_LOCKED: 'Too many attempts. Wait a while before you try again.',
  INVALID_PASSWORD: 'The current password is wrong.',
  INVALID_TOKEN: 'This link was used or has expired. Request another mail.',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'Too many attempts with this code. Sign in again from the start.',
  INVALID_CODE: 'The code is wrong. Type the one that is shown now.',
  INVALID_TWO_FACTOR_COOKIE: 'That took too long. Sign in again with your password.',
  INVALID_BACKUP_CODE: 'The backup code is wrong or was used.',
  SESSION_NOT_FRESH: 'You signed in a while ago. Confirm your password to go on.',
  CHALLENGE_NOT_FOUND: 'The request has expired. Try again.',
  PASSKEY_NOT_FOUND: 'This server does not know that passkey. Use another one, or your password.',
  USER_VERIFICATION_REQUIRED: 'Confirm with PIN, fingerprint or face that it is you, and try again.',
}
