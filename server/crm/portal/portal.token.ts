import { credentialForm } from '#platform/security/credential.ts'

export { digestOf } from '#platform/security/credential.ts'

/** The secret with which a mail opens the portal: see credentialForm. */
export const linkSecret = credentialForm('patio_portal_')
/** The secret with which a contact is in the portal. */
export const sessionSecret = credentialForm('patio_portal_session_')
