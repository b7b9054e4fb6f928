import { credentialForm } from '#platform/credential.ts'

export { digestOf } from '#platform/credential.ts'

/** The form of the secret with which a mail opens the portal: see credentialForm. */
const form = credentialForm('patio_portal_')

export const newToken = form.make
export const organizationOf = form.organizationOf
