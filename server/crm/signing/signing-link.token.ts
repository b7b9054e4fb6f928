import { credentialForm } from '#platform/security/credential.ts'

export { digestOf } from '#platform/security/credential.ts'

/** The form of the secret of a signing link: see credentialForm. */
const form = credentialForm('patio_sign_')

/** Creates the secret of a link. */
export const newToken = form.make
/** The organization in a secret; undefined for a malformed secret. */
export const organizationOf = form.organizationOf
