import { credentialForm } from '#platform/security/credential.ts'

export { digestOf } from '#platform/security/credential.ts'

/** The form of a personal access token: see credentialForm. */
const form = credentialForm('patio_pat_')

/** A new token for one organization. */
export const newToken = form.make
/** The organization that a token names; undefined when it is not a token of ours, as far as its form tells. */
export const organizationOf = form.organizationOf
/** What lists show of a token. */
export const prefixOf = form.prefixOf
