import { sendSigningLink } from '#contract/crm/signing-links.ts'
import type { MailMessage } from '#platform/outside/mail.ts'
import { steps } from '#platform/serve.ts'
import { lockBudget } from '../budgets/access.ts'
import type { BudgetRow } from '../budgets/row.ts'
import { lockLink } from './access.ts'
import { insertEvents } from './events/store.ts'
import type { LinkRow } from './row.ts'
import { assertNotSettled, assertOpen } from './rules.ts'
import { showLink } from './show.ts'
import { linkOf, setMailed, setToken } from './store.ts'
import { digestOf, newToken } from './token.ts'

/** Mails a link with a new secret. A mail server that fails costs the mail alone: the link can be sent again. */
export const send = steps(sendSigningLink, async ({ caller, params: { id, linkId }, world, transact }) => {
  const token = newToken(caller.organizationId)
  const digest = digestOf(token)
  const { budget, link } = await transact(
    async tx => {
      const budget = await lockBudget(tx, id)
      const link = await lockLink(tx, id, linkId)
      assertNotSettled(budget)
      assertOpen(link)
      await setToken(tx, linkId, digest)
      return { budget, link }
    },
    { subject: id, changed: ['signingLinks'], detail: { linkId } },
  )
  try {
    await world.mail.send(signingMail(budget, link, `${world.publicUrl}/s/${token}`))
  } catch (error) {
    world.log?.warn({ err: error, linkId }, 'a signing link could not be mailed')
    return { ...showLink(link), mailSent: false }
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

function signingMail(budget: BudgetRow, link: LinkRow, url: string): MailMessage {
  const day = link.expires_at.slice(0, 10)
  return {
    to: link.signer_email,
    subject: `Presupuesto ${budget.code} para firmar`,
    text: `Hola, ${link.signer_name}:

te enviamos el presupuesto ${budget.code}, «${budget.title}».
En este enlace puedes leerlo y firmarlo hasta el ${day}:

${url}

El enlace es personal: quien lo tenga puede firmar en tu nombre.

--
Here you can read and sign the budget ${budget.code} until ${day}: the link above is yours alone.
`,
  }
}
