import { credentialForm } from '#platform/security/credential.ts'

export { digestOf } from '#platform/security/credential.ts'

/** The form of the secret of a signing link: see credentialForm. */
const form = credentialForm('patio_sign_')

/** A new secret for one link of an organization. */
export const newToken = form.make
/** The organization that such a secret names; undefined when it is none of ours, as far as its form tells. */
export const organizationOf = form.organizationOf
