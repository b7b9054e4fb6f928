import { sendSigningLink } from '#contract/crm/signing-links.ts'
import { pathAt } from '#contract/endpoint.ts'
import type { Caller } from '#platform/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { once } from '#platform/idempotency.ts'
import { writing } from '#platform/language.ts'
import type { MailMessage } from '#platform/outside/mail.ts'
import { steps } from '#platform/serve.ts'
import { lockBudget } from '../budgets/access.ts'
import type { BudgetRow } from '../budgets/row.ts'
import { issuerOf, organizationName } from '../issuer/store.ts'
import { lockLink } from './access.ts'
import { insertEvents } from './events/store.ts'
import type { LinkRow } from './row.ts'
import { assertNotOver, assertOpen } from './rules.ts'
import { showLink } from './show.ts'
import { linkOf, setMailed, setToken } from './store.ts'
import { digestOf, newToken } from './token.ts'

/** Mails a link with a new secret. A mail server that fails costs the mail alone: the link can be sent again. */
export const send = steps(sendSigningLink, async ({ db, caller, params, world, transact, key }) => {
  const { id, linkId } = params
  const token = newToken(caller.organizationId)
  const digest = digestOf(token)
  let renewed: Renewed | undefined
  await transact(
    tx => {
      const renew = async () => {
        renewed = await renewSecret(tx, params, digest)
      }
      return key === undefined
        ? renew()
        : once(tx, world.cipher, { ...placeOf(caller), key, body: params }, renew)
    },
    { subject: id, changed: ['signingLinks'], detail: { linkId } },
  )
  if (!renewed) {
    const link = await linkOf(db, id, linkId)
    return { ...showLink(link), mailSent: link.mailed_at !== null }
  }
  const { link } = renewed
  try {
    await world.mail.send(signingMail(renewed, `${world.publicUrl}/s/${token}`))
  } catch (error) {
    world.log?.warn({ err: error, linkId }, 'a signing link could not be mailed')
    return { ...showLink(link), mailedAt: null, mailSent: false }
  }
  const sent = await transact(
    async tx => {
      const [, , link] = await Promise.all([
        setMailed(tx, linkId, digest),
        insertEvents(tx, { budgetId: id, linkId, kind: 'LINK_SENT', actorId: caller.personId }),
        linkOf(tx, id, linkId),
      ])
      return link
    },
    { subject: id, changed: ['mailedAt'], detail: { linkId } },
  )
  return { ...showLink(sent), mailSent: true }
})

const placeOf = ({ door, personId }: Caller) => ({
  caller: personId,
  operation: `${sendSigningLink.method} ${pathAt(door, sendSigningLink)}`,
  status: sendSigningLink.status,
})

/** What the mail is made of. */
type Renewed = { budget: BudgetRow; link: LinkRow; sender: string; replyTo: string | null }

async function renewSecret(
  tx: Tx,
  { id, linkId }: { id: string; linkId: string },
  digest: string,
): Promise<Renewed> {
  const budget = await lockBudget(tx, id)
  const link = await lockLink(tx, id, linkId)
  assertNotOver(budget)
  assertOpen(link)
  const [sender, issuer] = await Promise.all([
    organizationName(tx),
    issuerOf(tx),
    setToken(tx, linkId, digest),
  ])
  return { budget, link, sender, replyTo: issuer?.email ?? null }
}

function signingMail({ budget, link, sender, replyTo }: Renewed, url: string): MailMessage {
  const [last] = [link.expires_at.slice(0, 10), budget.valid_until ?? '9999'].sort()
  return {
    to: link.signer_email,
    ...(replyTo !== null && { replyTo }),
    subject: `Presupuesto ${budget.code} de ${sender} para firmar`,
    text: `Hola, ${link.signer_name}:

${sender} te envía el presupuesto ${budget.code}, «${budget.title}».
En este enlace puedes leerlo y firmarlo hasta el ${writing.es.day(last!)}:

${url}

El enlace es personal: quien lo tenga puede firmar en tu nombre.

--
${sender} sends you the budget ${budget.code}. Until ${writing.en.day(last!)} you can read and sign it with the link above, which is yours alone.
`,
  }
}
