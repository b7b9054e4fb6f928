import { countPayments } from '#contract/billing/reconciliation.ts'
import { listOperatedApplications } from '#contract/integrations/critical-scopes.ts'
import { useList, useRead } from '../../data/read.ts'
import { partTexts } from '../../identity/index.ts'
import { Icon } from '../../parts/icon.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { Organization } from './organization.ts'
import { organizationDialogTexts } from './organization-dialogs.words.ts'
import styles from './organizations.module.css'
import { differenceOf, isSameChoice, type PlanChoice, type PlanPartId, usersOf } from './plan.rules.ts'

/** Names of applications that are written out before the rest is only counted. */
const namedApplications = 3

/** The parts that an organization loses and gains with another plan, and how many applications use the lost ones. */
export function PlanPreview({ organization, after }: { organization: Organization; after: PlanChoice }) {
  const text = useWords(organizationDialogTexts)
  const { lost, gained } = differenceOf(organization, after)
  return (
    <section aria-live="polite" className={styles.preview}>
      {lost.length === 0 && gained.length === 0 && (
        <p className={styles.quiet}>{isSameChoice(organization, after) ? text.noChange : text.sameParts}</p>
      )}
      {lost.length > 0 && <Losses organizationId={organization.id} lost={lost} />}
      {gained.length > 0 && (
        <div>
          <h3 className={styles.previewTitle}>{text.gains}</h3>
          <ul>
            {gained.map(id => (
              <GainedPart key={id} id={id} />
            ))}
          </ul>
        </div>
      )}
      {!isSameChoice(organization, after) && (
        <p className={styles.quiet}>
          {lost.length > 0 && `${text.nothingDeleted} `}
          {text.effect}
        </p>
      )}
    </section>
  )
}

function GainedPart({ id }: { id: PlanPartId }) {
  const [name, about] = partTexts[useLanguage()][id]
  return (
    <li className={`${styles.change} ${styles.gained}`}>
      <Icon name="plus" />
      <span>
        {name} <span className={styles.quiet}>{about}</span>
      </span>
    </li>
  )
}

function Losses({ organizationId, lost }: { organizationId: string; lost: readonly PlanPartId[] }) {
  const text = useWords(organizationDialogTexts)
  return (
    <div>
      <h3 className={styles.previewTitle}>{text.loses}</h3>
      <ul>
        {lost.map(id => (
          <LostPart key={id} id={id} organizationId={organizationId} />
        ))}
      </ul>
    </div>
  )
}

function LostPart({ id, organizationId }: { id: PlanPartId; organizationId: string }) {
  const text = useWords(organizationDialogTexts)
  const [name, about] = partTexts[useLanguage()][id]
  const params = { id: organizationId }
  const applications = useList(listOperatedApplications, { params, query: { limit: 100 } })
  const isMoney = id === 'finance' || id === 'card_payments'
  const payments = useRead(countPayments, { params }, { staleMs: 0, enabled: isMoney })
  const users = usersOf(id, applications.items)
  const named = users.slice(0, namedApplications).map(application => application.name)
  const rest = users.length - named.length
  const problems = Object.values(payments.data ?? {}).reduce((sum, count) => sum + count, 0)
  return (
    <li className={`${styles.change} ${styles.lost}`}>
      <Icon name="minus" />
      <span>
        {name} <span className={styles.quiet}>{about}</span>
        <span className={styles.about}>
          {applications.isLoading
            ? text.counting
            : users.length === 0
              ? text.unused
              : `${text.uses(users.length, applications.hasMore)}: ${named.join(', ')}${rest > 0 ? ' …' : ''}`}
        </span>
        {isMoney && problems > 0 && <span className={styles.about}>{text.moneyOpen(problems)}</span>}
      </span>
    </li>
  )
}
