const secret = /password|secret|token|credential|apikey|totp|otp|backupcode|passphrase/i

/** The values of a form without passwords, tokens and other secrets, which no browser storage may hold. */
export function withoutSecrets(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !secret.test(name)))
}

/** Names a draft: the same form for another person, organization or object has another draft. */
export function draftKeyOf(
  personId: string,
  organizationId: string,
  { method, area, path }: { method: string; area: string; path: string },
  objectId = '',
): string {
  return JSON.stringify([personId, organizationId, `${method} /${area}${path}`, objectId])
}
