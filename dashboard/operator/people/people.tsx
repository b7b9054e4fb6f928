import { useNavigate, useSearch } from '@tanstack/react-router'
import { findPeople } from '#contract/identity/operator.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { textOfError } from '../../data/errors.ts'
import { useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './people.module.css'
import { peopleTexts } from './people.words.ts'
import { PersonCard } from './person-card.tsx'

/** Finds the account with an e-mail address, to lock or unlock it (OPR-6). */
export function People() {
  const text = useWords(peopleTexts)
  const navigate = useNavigate()
  const { email } = useSearch({ from: '/operator/people' })
  return (
    <Page title={text.title}>
      <div className={styles.people}>
        <p className={styles.quiet}>{text.about}</p>
        <search>
          <ActionForm
            key={email}
            aria-label={text.title}
            onSubmit={async ({ email: typed = '' }) =>
              void (await navigate({ to: '/operator/people', search: { email: typed.trim() } }))
            }
          >
            {() => (
              <div className={styles.form}>
                <TextField
                  label={text.email}
                  name="email"
                  type="email"
                  isRequired
                  defaultValue={email ?? ''}
                  autoComplete="off"
                  spellCheck="false"
                />
                <Button type="submit" icon="search">
                  {text.find}
                </Button>
              </div>
            )}
          </ActionForm>
        </search>
        {email !== undefined && <Found email={email} />}
      </div>
    </Page>
  )
}

function Found({ email }: { email: string }) {
  const text = useWords(peopleTexts)
  const language = useLanguage()
  const { data, error } = useRead(findPeople, { query: { email } })
  if (error) return <Problem title={textOfError(error, language)} />
  if (!data) return <Skeleton rows={3} label={text.reading} />
  if (data.items.length === 0) return <Empty title={text.none(email)}>{text.noneAbout}</Empty>
  return data.items.map(person => <PersonCard key={person.id} person={person} />)
}
