import { partTexts } from '../../identity/index.ts'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { SheetSection } from '../../parts/sheet.tsx'
import { Notice } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { planNames } from '../../shell/shell.words.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import { ApplicationList } from './application-list.tsx'
import type { Organization } from './organization.ts'
import styles from './organizations.module.css'
import { organizationTexts } from './organizations.words.ts'
import { PaymentProblems } from './payment-problems.tsx'
import { exceptionOf, type PlanPartId, partsOf, planHas, planParts, smallestPlanOf } from './plan.rules.ts'

/** An organization as operators see it: its plan, its applications and its payment problems. */
export function OrganizationDetail({
  organization,
  level,
}: {
  organization: Organization
  /** One below the heading of the sheet or page. */
  level: 2 | 3
}) {
  const text = useWords(organizationTexts)
  const { suspendedAt, suspendedReason, plan } = organization
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <>
      <SheetSection>
        {suspendedAt !== null && (
          <div className={styles.note}>
            <Notice kind="danger">
              <p>{text.isSuspended}</p>
              <p>
                {text.since} <Time value={suspendedAt} form="moment" />. {suspendedReason}
              </p>
            </Notice>
          </div>
        )}
        <OrganizationFacts organization={organization} />
      </SheetSection>
      <SheetSection>
        <Heading className={styles.subtitle}>{text.parts(planNames[plan])}</Heading>
        <ul>
          {planParts.map(id => (
            <PartRow key={id} id={id} organization={organization} />
          ))}
        </ul>
      </SheetSection>
      <SheetSection>
        <ApplicationList organization={organization} level={level} />
      </SheetSection>
      {partsOf(organization).includes('finance') && (
        <SheetSection>
          <PaymentProblems organizationId={organization.id} level={level} />
        </SheetSection>
      )}
    </>
  )
}

function OrganizationFacts({ organization }: { organization: Organization }) {
  const text = useWords(organizationTexts)
  const language = useLanguage()
  const { id, address, publisherName, publisherVerified, features, createdAt } = organization
  const names = features.map(feature => partTexts[language][feature][0])
  return (
    <Facts
      facts={[
        { term: text.address, value: `${location.host}/o/${address}` },
        publisherName !== null && {
          term: text.publisher,
          value: (
            <span className={styles.pair}>
              {publisherName}
              <Status
                icon={publisherVerified ? 'done' : 'dashed'}
                kind={publisherVerified ? 'done' : 'quiet'}
              >
                {publisherVerified ? text.verified : text.notVerified}
              </Status>
            </span>
          ),
        },
        {
          term: text.features,
          value: (
            <>
              {names.length > 0 ? names.join(', ') : text.noFeatures}
              <span className={styles.about}>{text.featuresHint}</span>
            </>
          ),
        },
        { term: text.created, value: <Time value={createdAt} form="date" /> },
        { term: text.id, value: <Id value={id} isShortened /> },
      ]}
    />
  )
}

function PartRow({ id, organization }: { id: PlanPartId; organization: Organization }) {
  const text = useWords(organizationTexts)
  const language = useLanguage()
  const [name] = partTexts[language][id]
  const exception = exceptionOf(organization, id)
  return (
    <li className={styles.part}>
      <span className={id.includes('.') || id === 'card_payments' ? styles.within : undefined}>{name}</span>
      {exception === 'removed' ? (
        <Status icon="blocked" kind="warn">
          {text.removed}
        </Status>
      ) : exception === 'added' ? (
        <Status icon="plus" kind="done">
          {text.added}
        </Status>
      ) : planHas(organization.plan, id) ? (
        <Status icon="done" kind="done">
          {text.included}
        </Status>
      ) : (
        <Status icon="lock" kind="quiet">
          {text.from(planNames[smallestPlanOf(id)])}
        </Status>
      )}
    </li>
  )
}
