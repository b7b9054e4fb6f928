import {
  type InvoiceLink,
  issuePublicLink,
  listInvoiceLinks,
  makePublicLink,
  readPublicLink,
  revokeInvoiceLink,
  showPublicLink,
} from '#contract/billing/links.ts'
import type { PublicLink } from '#contract/billing/shapes.ts'
import type { Db } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { command, query, type ServedOperation, type Transact, workflow } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import type { Services } from '#platform/services.ts'
import { invoiceFor, lockInvoice } from '../invoices/invoice.access.ts'
import { assertIssued } from '../invoices/invoice.rules.ts'
import { readSettings } from '../settings/billing-settings.sql.ts'
import {
  findCurrentLink,
  type InvoiceLinkRow,
  listLinks,
  replaceLink,
  revokeLink,
} from './payment-link.sql.ts'
import { linkUrl, newLinkToken } from './payment-link.token.ts'

/** Only the call that issues a link returns its address (PLNK-1). */
const read = query(readPublicLink, ({ db, caller, params, query }) =>
  readCurrentLink(db, caller, params.id, query.userId),
)
const show = query(showPublicLink, ({ db, caller, params }) => readCurrentLink(db, caller, params.id))

// a workflow, so that no reply is stored for an Idempotency-Key: the reply contains a secret
const issue = workflow(issuePublicLink, ({ transact, caller, services, params, body }) =>
  issueLink(transact, caller, services, { invoiceId: params.id, ...body }),
)
const make = workflow(makePublicLink, ({ transact, caller, services, params, body }) =>
  issueLink(transact, caller, services, { invoiceId: params.id, ...body }),
)

const list = query(listInvoiceLinks, async ({ db, caller, params }) => {
  const invoice = await invoiceFor(db, caller, params.id)
  return { items: (await listLinks(db, invoice.id)).map(showLink) }
})

const revoke = command(revokeInvoiceLink, async ({ tx, caller, params, audit }) => {
  const invoice = await lockInvoice(tx, caller, params.id)
  const link = await revokeLink(tx, invoice.id, params.linkId)
  if (!link) fail('INVOICE_PUBLIC_LINK_NOT_AVAILABLE')
  audit(invoice.id, ['links'])
  return showLink(link)
})

export const linkOperations: ServedOperation[] = [read, issue, show, make, list, revoke]

async function readCurrentLink(db: Db, caller: Caller, id: string, userId?: string): Promise<PublicLink> {
  const invoice = await invoiceFor(db, caller, id, userId)
  const link = (await findCurrentLink(db, invoice.id)) ?? fail('INVOICE_PUBLIC_LINK_NOT_AVAILABLE')
  return publicLinkReply(invoice.id, link, null)
}

async function issueLink(
  transact: Transact,
  caller: Caller,
  { publicUrl }: Pick<Services, 'publicUrl'>,
  input: { invoiceId: string; userId?: string; expiresInDays?: number },
): Promise<PublicLink> {
  const { invoiceId } = input
  const token = newLinkToken(caller.organizationId)
  const issued = await transact(
    async tx => {
      const [invoice, { linkDays }] = await tx.inOrder(
        () => lockInvoice(tx, caller, invoiceId, input.userId),
        () => readSettings(tx),
      )
      assertIssued(invoice)
      const createdBy = caller.personId || null
      const days = input.expiresInDays ?? linkDays
      return replaceLink(tx, { id: newId(), invoiceId, token, createdBy, days })
    },
    { subject: invoiceId, changed: ['links'] },
  )
  return publicLinkReply(invoiceId, issued, linkUrl({ publicUrl }, token))
}

function publicLinkReply(invoiceId: string, link: InvoiceLinkRow, publicUrl: string | null): PublicLink {
  const { expires_at: expiresAt, created_at: createdAt } = link
  return { invoiceId, publicUrl, expiresAt, allowedActions: ['VIEW', 'PAY'], createdAt }
}

function showLink(link: InvoiceLinkRow): InvoiceLink {
  return {
    id: link.id,
    kind: link.kind,
    isCurrent: link.is_current,
    createdBy: link.created_by,
    createdAt: link.created_at,
    expiresAt: link.expires_at,
    revokedAt: link.revoked_at,
  }
}
