import { credentialForm } from '#platform/security/credential.ts'

export { digestOf } from '#platform/security/credential.ts'

/** The form of an application's key: see credentialForm. */
const form = credentialForm('patio_app_')

/** A new key for an application of one organization. */
export const newKey = form.make
/** The organization that a key names; undefined when it is not a key of ours, as far as its form tells. */
export const organizationOf = form.organizationOf
/** What lists show of a key. */
export const prefixOf = form.prefixOf
