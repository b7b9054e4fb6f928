import { credentialForm } from '#platform/security/credential.ts'

export { digestOf } from '#platform/security/credential.ts'

/** The format of an application's key: see credentialForm. */
const form = credentialForm('patio_app_')

/** A new key for an application of one organization. */
export const newKey = form.make
/** The organization in a key; undefined if the text does not have the format of a key. */
export const organizationOf = form.organizationOf
/** The part of a key that lists show. */
export const prefixOf = form.prefixOf
