import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { getOrganization, updateOrganization } from '#contract/identity/organization.ts'
import { listOwnOrganizations } from '#contract/identity/sessions.ts'
import { type Feature, features } from '#contract/permissions.ts'
import type { Reply } from '#contract/route.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { codeOf, textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { keyOf, useAction, useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Switch } from '../../parts/choices.tsx'
import { Facts } from '../../parts/facts.tsx'
import { TextField } from '../../parts/field.tsx'
import { Id } from '../../parts/id.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Notice, Problem, Skeleton } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './organization.module.css'
import { organizationTexts, partTexts } from './organization.words.ts'
import { PlanSection } from './plan.tsx'

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

function NameAndAddress({ organization }: { organization: Organization }) {
  const text = useWords(organizationTexts)
  const language = useLanguage()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const update = useAction(updateOrganization, { refreshes: [getOrganization] })
  const [address, setAddress] = useState(organization.address)
  const isMoved = address !== organization.address
  return (
    <Section title={text.nameAndAddress}>
      <ActionForm
        onSubmit={async ({ name = '' }) => {
          const changed = await update.mutateAsync({
            body: { name: name.trim(), ...(isMoved && { address }) },
          })
          await cache.invalidateQueries({ queryKey: keyOf('account', listOwnOrganizations) })
          showToast({ text: text.saved })
          if (isMoved)
            await navigate({
              to: '/o/$organization/settings/organization',
              params: { organization: changed.address },
              replace: true,
            })
        }}
        showError={error =>
          codeOf(error) === 'ADDRESS_TAKEN' ? (
            <Notice kind="danger">
              {textOfError(error, language)} {text.takenAbout}
            </Notice>
          ) : undefined
        }
      >
        {({ isBusy }) => (
          <div className={styles.fields}>
            <TextField
              {...fieldOf(updateOrganization, 'name')}
              label={text.name}
              defaultValue={organization.name}
              isRequired
              autoComplete="off"
            />
            <TextField
              {...fieldOf(updateOrganization, 'address')}
              label={text.address}
              value={address}
              onChange={setAddress}
              isRequired
              autoComplete="off"
              spellCheck="false"
              pattern="[a-z0-9]+(-[a-z0-9]+)*"
              hint={
                isMoved ? (
                  <>
                    {text.addressHint} {text.formerStays(organization.address)}
                  </>
                ) : (
                  text.addressPlace(`${location.host}/o/${organization.address}`)
                )
              }
            />
            <div>
              <Button type="submit" isBusy={isBusy}>
                {text.save}
              </Button>
            </div>
          </div>
        )}
      </ActionForm>
    </Section>
  )
}

function Publisher({ organization }: { organization: Organization }) {
  const text = useWords(organizationTexts)
  const update = useAction(updateOrganization, { refreshes: [getOrganization] })
  return (
    <Section title={text.publisher} about={text.publisherAbout}>
      <ActionForm
        onSubmit={async ({ publisherName = '' }) => {
          await update.mutateAsync({ body: { publisherName: publisherName.trim() || null } })
          showToast({ text: text.saved })
        }}
      >
        {({ isBusy }) => (
          <div className={styles.fields}>
            <div className={styles.publisher}>
              <TextField
                {...fieldOf(updateOrganization, 'publisherName')}
                label={text.publisher}
                defaultValue={organization.publisherName ?? ''}
                autoComplete="off"
                {...(organization.publisherVerified && { hint: text.publisherHint })}
              />
              {organization.publisherName && <Verification isVerified={organization.publisherVerified} />}
            </div>
            <div>
              <Button type="submit" isBusy={isBusy}>
                {text.save}
              </Button>
            </div>
          </div>
        )}
      </ActionForm>
    </Section>
  )
}

function Verification({ isVerified }: { isVerified: boolean }) {
  const text = useWords(organizationTexts)
  return (
    <Status icon={isVerified ? 'done' : 'dashed'} kind={isVerified ? 'done' : 'quiet'}>
      {isVerified ? text.verified : text.notVerified}
    </Status>
  )
}

function Features({ organization }: { organization: Organization }) {
  const text = useWords(organizationTexts)
  const language = useLanguage()
  const update = useAction(updateOrganization, { refreshes: [getOrganization] })
  function toggle(feature: Feature, isOn: boolean): void {
    const others = organization.features.filter(other => other !== feature)
    update.mutate(
      { body: { features: isOn ? [...others, feature] : others } },
      { onError: error => showToast({ kind: 'failed', text: textOfError(error, language) }) },
    )
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
