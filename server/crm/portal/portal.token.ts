import { credentialForm } from '#platform/security/credential.ts'

export { digestOf } from '#platform/security/credential.ts'

/** The secret of a portal link: see credentialForm. */
export const linkSecret = credentialForm('patio_portal_')
/** The secret of a portal session. */
export const sessionSecret = credentialForm('patio_portal_session_')
