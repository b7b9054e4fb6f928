import type { ReactNode } from 'react'
import { linkInvoiceToBudget, unlinkInvoiceFromBudget } from '#contract/billing/budgets.ts'
import { makePublicLink, revokeInvoiceLink } from '#contract/billing/links.ts'
import { countryName } from '../../crm/index.ts'
import { useKnownHref } from '../../data/known-href.ts'
import { useMay } from '../../data/organization.tsx'
import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Money } from '../../parts/money.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './invoice.module.css'
import type { Invoice } from './invoice.ts'
import { invoiceTexts } from './invoice.words.ts'
import type { InvoiceDialogName } from './invoice-dialog.ts'
import type { InvoiceMovements } from './invoice-reads.ts'
import { RemindersPart } from './reminders-part.tsx'
import { TaxRecordPart } from './tax-record-part.tsx'

type AsideProps = {
  invoice: Invoice
  movements: InvoiceMovements
  onAsk: (dialog: InvoiceDialogName) => void
}

/** The client, the public link, the reminders, the tax record, and the budget that the invoice bills. */
export function InvoiceAside(props: AsideProps) {
  const { status, budget, isRectifying } = props.invoice
  const isOpen = status !== 'DRAFT' && status !== 'VOIDED'
  return (
    <>
      <ClientPart invoice={props.invoice} />
      {isOpen && <LinkPart {...props} />}
      {isOpen && <RemindersPart invoiceId={props.invoice.id} isDue={props.invoice.dueCents > 0} />}
      <TaxRecordPart invoice={props.invoice} />
      {/* people without the permission for budgets get none, and a rectifying invoice bills none */}
      {budget !== undefined && !isRectifying && <BudgetPart {...props} />}
    </>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h2 className={styles.partTitle}>{title}</h2>
      {children}
    </section>
  )
}

/** The client as the invoice has them: a copy once it is issued. */
function ClientPart({ invoice }: { invoice: Invoice }) {
  const text = useWords(invoiceTexts)
  const language = useLanguage()
  const hrefOf = useKnownHref()
  const { recipient, clientName, clientId, userId, rectifiesInvoiceId, rectifyingReason, rectifiedBy } =
    invoice
  const invoiceHref = (id: string) => hrefOf('invoices/$id', '', { id })
  const place = [recipient?.postalCode, recipient?.city].filter(Boolean).join(' ')
  const country = recipient?.country && countryName(recipient.country, language)
  return (
    <Part title={text.client}>
      <Facts
        facts={[
          {
            term: text.company,
            value: <TextLink href={hrefOf('clients/$clientId', '', { clientId })}>{clientName}</TextLink>,
          },
          { term: text.taxId, value: recipient?.taxId },
          {
            term: text.address,
            value: recipient && [recipient.address, place, country].filter(Boolean).join(', '),
          },
          { term: text.email, value: recipient?.email },
          { term: text.user, value: userId },
          {
            term: text.rectifies,
            value: rectifiesInvoiceId && (
              <TextLink href={invoiceHref(rectifiesInvoiceId)}>{text.originalInvoice}</TextLink>
            ),
          },
          { term: text.reason, value: rectifyingReason },
          {
            term: text.rectifiedBy,
            value:
              rectifiedBy.length > 0 &&
              rectifiedBy.map(({ id, number, totalCents }) => (
                <span key={id} className={styles.line}>
                  <TextLink href={invoiceHref(id)}>{number ?? text.draftWord}</TextLink>{' '}
                  <Money cents={totalCents} currency={invoice.currency} />
                </span>
              )),
          },
          invoice.overpaidCents > 0 && {
            term: text.overpaid,
            value: <Money cents={invoice.overpaidCents} currency={invoice.currency} />,
          },
        ]}
      />
    </Part>
  )
}

/** The link with which the client sees and pays the invoice. Its address is shown once, when it is made. */
function LinkPart({ movements, onAsk }: AsideProps) {
  const text = useWords(invoiceTexts)
  const may = useMay()
  const current = movements.links.find(({ kind, isCurrent }) => kind === 'PRIMARY' && isCurrent)
  return (
    <Part title={text.publicLink}>
      <p className={current ? '' : styles.quiet}>
        {current ? (
          <>
            {text.expires} <Time value={current.expiresAt} form="date" />
          </>
        ) : (
          text.noLink
        )}
      </p>
      <div className={styles.buttons}>
        {may(makePublicLink) && (
          <Button size="small" onPress={() => onAsk('makeLink')}>
            {current ? text.replaceLink : text.makeLink}
          </Button>
        )}
        {current && may(revokeInvoiceLink) && (
          <Button size="small" kind="quiet" onPress={() => onAsk('revokeLink')}>
            {text.revokeLink}
          </Button>
        )}
      </div>
    </Part>
  )
}

function BudgetPart({ invoice: { budget, status }, onAsk }: AsideProps) {
  const text = useWords(invoiceTexts)
  const may = useMay()
  const hrefOf = useKnownHref()
  const isChangeable = status !== 'VOIDED'
  return (
    <Part title={text.budget}>
      {budget ? (
        <p>
          <TextLink href={hrefOf('budgets/$id', '', { id: budget.id })}>{budget.code}</TextLink>
        </p>
      ) : (
        <p className={styles.quiet}>{text.noBudget}</p>
      )}
      {isChangeable && (
        <div className={styles.buttons}>
          {!budget && may(linkInvoiceToBudget) && (
            <Button size="small" onPress={() => onAsk('linkBudget')}>
              {text.linkBudget}
            </Button>
          )}
          {budget && may(unlinkInvoiceFromBudget) && (
            <Button size="small" kind="quiet" onPress={() => onAsk('unlinkBudget')}>
              {text.unlinkBudget}
            </Button>
          )}
        </div>
      )}
    </Part>
  )
}
