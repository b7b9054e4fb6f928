import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { listOwnOrganizations, updateCaller } from '#contract/identity/sessions.ts'
import { readAccount } from '../../data/account.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { textOfError } from '../../data/errors.ts'
import { usePreferences } from '../../data/preferences.tsx'
import { useAccountRead } from '../../data/read.ts'
import { callAccount } from '../../data/session.ts'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Checkbox, TextField } from '../../parts/field.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { roleTexts } from '../role.words.ts'
import styles from './person.module.css'
import { personTexts } from './person.words.ts'

/** The person: name, look and language of the screens, and the organizations they belong to. */
export function Profile() {
  const text = useWords(personTexts)
  return (
    <Page title={text.profile}>
      <OwnName />
      <Look />
      <OwnOrganizations />
      <p className={styles.quiet}>
        <a href="/third-party-notices.txt">{text.notices}</a>
      </p>
    </Page>
  )
}

function OwnName() {
  const text = useWords(personTexts)
  const language = useLanguage()
  const account = useQuery({ queryKey: ['account'], queryFn: readAccount })
  const cache = useQueryClient()
  if (account.error) return <Problem title={textOfError(account.error, language)} />
  if (!account.data) return <Skeleton rows={2} label={text.reading} />
  return (
    <Section title={text.you}>
      <ActionForm
        onSubmit={async ({ name = '' }) => {
          await callAccount(updateCaller, { body: { name: name.trim() } })
          await cache.invalidateQueries({ queryKey: ['account'] })
          showToast({ text: text.saved })
        }}
      >
        {({ isBusy }) => (
          <div className={styles.fields}>
            <TextField
              {...fieldOf(updateCaller, 'name')}
              label={text.name}
              defaultValue={account.data.name}
              isRequired
              autoComplete="name"
            />
            <TextField label={text.email} value={account.data.email} isReadOnly hint={text.emailHint} />
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

function Look() {
  const text = useWords(personTexts)
  const { preferences, change } = usePreferences()
  return (
    <Section title={text.look}>
      <div className={styles.fields}>
        <Choice
          label={text.language}
          value={preferences.language ?? 'browser'}
          onChange={language => change({ language: language === 'browser' ? null : language })}
          options={[
            { value: 'browser', label: text.asBrowser },
            { value: 'es', label: 'Español' },
            { value: 'en', label: 'English' },
          ]}
        />
        <Choice
          label={text.theme}
          value={preferences.theme}
          onChange={theme => change({ theme })}
          options={[
            { value: 'system', label: text.system },
            { value: 'light', label: text.light },
            { value: 'dark', label: text.dark },
          ]}
        />
        <Choice
          label={text.density}
          value={preferences.density}
          onChange={density => change({ density })}
          options={[
            { value: 'compact', label: text.compact },
            { value: 'usual', label: text.usual },
            { value: 'roomy', label: text.roomy },
          ]}
        />
        <Checkbox
          isSelected={preferences.singleKeyShortcuts}
          onChange={singleKeyShortcuts => change({ singleKeyShortcuts })}
          hint={text.keysHint}
        >
          {text.keys}
        </Checkbox>
      </div>
    </Section>
  )
}

function OwnOrganizations() {
  const text = useWords(personTexts)
  const roles = useWords(roleTexts)
  const language = useLanguage()
  const organizations = useAccountRead(listOwnOrganizations)
  if (organizations.error) return <Problem title={textOfError(organizations.error, language)} />
  if (!organizations.data) return <Skeleton rows={2} label={text.reading} />
  const { items } = organizations.data
  return (
    <Section title={text.organizations}>
      {items.length === 0 && <p>{text.none}</p>}
      <ul className={styles.list}>
        {items.map(({ id, name, address, role, suspended }) => (
          <li key={id} className={styles.row}>
            <Link to="/o/$organization" params={{ organization: address }} className={styles.rowName}>
              {name}
            </Link>
            <span className={styles.quiet}>{suspended ? text.suspended : roles[role]}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
