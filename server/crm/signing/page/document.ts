import { openSigningDocument } from '#contract/crm/signing-page.ts'
import { fail } from '#platform/fail.ts'
import { ObjectMissing, StoreUnavailable } from '#platform/outside/files.ts'
import { sendBytes } from '#platform/send.ts'
import { streams } from '#platform/serve.ts'
import { openLinkFor, organizationNamedBy } from '../access.ts'

/** The very bytes that are signed. */
export const openDocument = streams(openSigningDocument, async ({ params: { token }, world, reply }) => {
  const db = world.database.of(organizationNamedBy(token))
  const { document_sha256: sha256, document_size: size } = await openLinkFor(db, token)
  if (sha256 === null) fail('SIGNING_LINK_NOT_VALID')
  reply.headers({
    'content-type': 'application/pdf',
    'content-length': size!,
    // a policy for pages keeps some browsers from showing it
    'content-security-policy': "frame-ancestors 'none'",
    'content-disposition': 'inline; filename="presupuesto.pdf"',
    'x-robots-tag': 'noindex, nofollow',
    etag: `"${sha256}"`,
  })
  const bytes = await world.files.open(sha256).catch(error => {
    if (!(error instanceof ObjectMissing)) throw error
    throw new StoreUnavailable('A document that is to be signed is not there', { cause: error })
  })
  return sendBytes(reply, bytes)
})
