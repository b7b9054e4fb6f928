import { credentialForm } from '#platform/security/credential.ts'

export { digestOf } from '#platform/security/credential.ts'

/** The format of a token of an identity provider: see credentialForm. */
const form = credentialForm('patio_scim_')

/** A new token for one organization. */
export const newToken = form.make
/** The organization in a token; undefined if its format is not valid. */
export const organizationOf = form.organizationOf
/** The part of a token that lists show. */
export const prefixOf = form.prefixOf
