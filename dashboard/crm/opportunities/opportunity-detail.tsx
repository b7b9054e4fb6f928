import type { ReactNode } from 'react'
import { Link } from 'react-aria-components'
import { listBudgets } from '#contract/crm/budgets.ts'
import { readContact } from '#contract/crm/contacts.ts'
import type { Opportunity } from '#contract/crm/opportunities.ts'
import { listPeople } from '#contract/identity/people.ts'
import { textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useList, useRead } from '../../data/read.ts'
import { Facts } from '../../parts/facts.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { Money } from '../../parts/money.tsx'
import { Person } from '../../parts/person.tsx'
import { SheetSection } from '../../parts/sheet.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { useClientNames } from '../budgets/client-name.tsx'
import styles from './opportunities.module.css'
import { opportunityTexts } from './opportunities.words.ts'
import { OpportunityStatus } from './opportunity-status.tsx'

/** The facts of an opportunity and its budgets, in a sheet or on a page. */
export function OpportunityDetail({
  opportunity,
  isPage = false,
}: {
  opportunity: Opportunity
  isPage?: boolean
}) {
  const Part = isPage ? PagePart : SheetSection
  const text = useWords(opportunityTexts)
  const { address } = useOrganization()
  const base = `/o/${encodeURIComponent(address)}`
  const { clientId, contactId, leadId, ownerId, amountCents, currency, expectedOn, closedAt } = opportunity
  const clientName = useClientNames([clientId]).get(clientId)
  const contact = useRead(readContact, { params: { id: contactId ?? '' } }, { enabled: contactId !== null })
  const owner = useRead(listPeople, { query: { ids: [ownerId ?? ''] } }, { enabled: ownerId !== null })
  const ownerName = owner.data?.items[0]?.name
  const contactName = [contact.data?.firstName, contact.data?.lastName].filter(Boolean).join(' ')
  return (
    <>
      <Part>
        <Facts
          facts={[
            { term: text.status, value: <OpportunityStatus status={opportunity.status} /> },
            {
              term: text.client,
              value: (
                <Link href={`${base}/clients/${clientId}`} className={styles.link ?? ''}>
                  {clientName ?? text.client}
                </Link>
              ),
            },
            { term: text.stage, value: opportunity.stage },
            {
              term: text.amount,
              value: amountCents !== null && currency && <Money cents={amountCents} currency={currency} />,
            },
            { term: text.expected, value: expectedOn && <Time value={expectedOn} form="date" /> },
            { term: text.owner, value: ownerName && <Person name={ownerName} /> },
            { term: text.contact, value: contactName || contact.data?.email },
            {
              term: text.lead,
              value: leadId && (
                <Link href={`${base}/leads/${leadId}`} className={styles.link ?? ''}>
                  {text.openLead}
                </Link>
              ),
            },
            { term: text.created, value: <Time value={opportunity.createdAt} form="moment" /> },
            { term: text.closed, value: closedAt && <Time value={closedAt} form="moment" /> },
          ]}
        />
      </Part>
      <Part>
        <OpportunityBudgets opportunity={opportunity} base={base} />
      </Part>
    </>
  )
}

function PagePart({ children }: { children: ReactNode }) {
  return <div className={styles.part}>{children}</div>
}

/** The budgets of the client that belong to the opportunity. */
function OpportunityBudgets({ opportunity, base }: { opportunity: Opportunity; base: string }) {
  const text = useWords(opportunityTexts)
  const language = useLanguage()
  const budgets = useList(listBudgets, { query: { clientId: opportunity.clientId } })
  const own = budgets.items.filter(({ opportunityId }) => opportunityId === opportunity.id)
  return (
    <>
      <h2 className={styles.subtitle}>{text.budgets}</h2>
      {budgets.isLoading && <Skeleton rows={2} label={text.reading} />}
      {budgets.error && <Problem title={textOfError(budgets.error, language)} />}
      {!budgets.isLoading && !budgets.error && !budgets.hasMore && own.length === 0 && (
        <p className={styles.quiet}>{text.noBudgets}</p>
      )}
      <ul>
        {own.map(({ id, code, title, totalCents, currency }) => (
          <li key={id} className={styles.budget}>
            <Link href={`${base}/budgets/${id}`} className={styles.link ?? ''}>
              {code}
            </Link>
            <span className={styles.budgetTitle}>{title}</span>
            <Money cents={totalCents} currency={currency} />
          </li>
        ))}
      </ul>
      <LoadMore {...budgets} shown={budgets.items.length} />
    </>
  )
}
