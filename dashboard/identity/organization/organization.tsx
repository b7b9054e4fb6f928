import { getOrganization, updateOrganization } from '#contract/identity/organization.ts'
import { type Feature, features } from '#contract/permissions.ts'
import type { Reply } from '#contract/route.ts'
import { textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useAction, useRead } from '../../data/read.ts'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Notice, Problem, Skeleton } from '../../parts/states.tsx'
import { Switch } from '../../parts/switch.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { NameAndAddress } from './name-and-address.tsx'
import styles from './organization.module.css'
import { organizationTexts, partTexts } from './organization.words.ts'
import { PlanSection } from './plan.tsx'
import { Publisher, Verification } from './publisher.tsx'

type Organization = Reply<typeof getOrganization>

/** The organization: its name, address, publisher name, optional features and plan. */
export function OrganizationSettings() {
  const text = useWords(organizationTexts)
  const language = useLanguage()
  const may = useMay()
  const { data, error } = useRead(getOrganization)
  return (
    <Page title={text.title}>
      {!data && !error && <Skeleton label={text.reading} />}
      {error && <Problem title={textOfError(error, language)} />}
      {data &&
        (may(updateOrganization) ? <Editable organization={data} /> : <ReadOnly organization={data} />)}
      {data && <PlanSection organization={data} />}
    </Page>
  )
}

function Editable({ organization }: { organization: Organization }) {
  return (
    <>
      <NameAndAddress key={organization.address} organization={organization} />
      <Publisher key={organization.publisherName} organization={organization} />
      <Features organization={organization} />
    </>
  )
}

function Features({ organization }: { organization: Organization }) {
  const text = useWords(organizationTexts)
  const language = useLanguage()
  const update = useAction(updateOrganization, { refreshes: [getOrganization] })
  function toggle(feature: Feature, isOn: boolean): void {
    const others = organization.features.filter(other => other !== feature)
    update.mutate({ body: { features: isOn ? [...others, feature] : others } }, { toastsFailure: true })
  }
  return (
    <Section title={text.optional} about={text.optionalAbout}>
      {features.map(feature => {
        const [name, about] = partTexts[language][feature]
        return (
          <Switch
            key={feature}
            hint={about}
            isSelected={organization.features.includes(feature)}
            isDisabled={update.isPending}
            onChange={isOn => toggle(feature, isOn)}
          >
            {name}
          </Switch>
        )
      })}
    </Section>
  )
}

function ReadOnly({ organization }: { organization: Organization }) {
  const text = useWords(organizationTexts)
  const language = useLanguage()
  const { name, address, publisherName, publisherVerified, createdAt, id } = organization
  return (
    <Section title={text.nameAndAddress}>
      <div className={styles.note}>
        <Notice>{text.readOnly}</Notice>
      </div>
      <Facts
        facts={[
          { term: text.name, value: name },
          { term: text.address, value: `${location.host}/o/${address}` },
          { term: text.publisher, value: publisherName ?? text.noPublisher },
          publisherName !== null && { term: '', value: <Verification isVerified={publisherVerified} /> },
          ...features.map(feature => ({
            term: partTexts[language][feature][0],
            value: organization.features.includes(feature) ? text.on : text.off,
          })),
          { term: text.since, value: <Time value={createdAt} form="date" /> },
          { term: text.id, value: <Id value={id} /> },
        ]}
      />
    </Section>
  )
}
