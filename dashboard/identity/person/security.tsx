import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changePassword, readAccount } from '../../data/account.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { textOfError } from '../../data/errors.ts'
import { Button } from '../../parts/button.tsx'
import { Checkbox, TextField } from '../../parts/field.tsx'
import { NewPassword } from '../../parts/new-password.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Problem } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { Passkeys } from './passkeys.tsx'
import styles from './person.module.css'
import { personTexts } from './person.words.ts'
import { TwoFactor } from './two-factor.tsx'

/** How the person signs in: password, one-time codes, passkeys. */
export function Security() {
  const text = useWords(personTexts)
  const language = useLanguage()
  const account = useQuery({ queryKey: ['account'], queryFn: readAccount })
  return (
    <Page title={text.security}>
      {account.error && <Problem title={textOfError(account.error, language)} />}
      <Password ownWords={account.data ? [account.data.name, account.data.email] : []} />
      <TwoFactor isOn={account.data?.twoFactorEnabled ?? undefined} />
      <Passkeys />
    </Page>
  )
}

function Password({ ownWords }: { ownWords: readonly string[] }) {
  const text = useWords(personTexts)
  const cache = useQueryClient()
  // a new key empties the fields
  const [changes, setChanges] = useState(0)
  return (
    <Section title={text.password} about={text.passwordAbout}>
      <ActionForm
        key={changes}
        onSubmit={async ({ currentPassword = '', newPassword = '', revokePersonalTokens }) => {
          await changePassword({
            currentPassword,
            newPassword,
            revokePersonalTokens: revokePersonalTokens !== undefined,
          })
          await cache.invalidateQueries({ queryKey: ['account-sessions'] })
          setChanges(changes + 1)
          showToast({ text: text.passwordChanged })
        }}
      >
        {({ isBusy }) => (
          <div className={styles.fields}>
            <TextField
              name="currentPassword"
              type="password"
              label={text.currentPassword}
              isRequired
              autoComplete="current-password"
            />
            <NewPassword name="newPassword" ownWords={ownWords} />
            <Checkbox name="revokePersonalTokens" value="yes">
              {text.revokeTokens}
            </Checkbox>
            <div>
              <Button type="submit" isBusy={isBusy}>
                {text.changePassword}
              </Button>
            </div>
          </div>
        )}
      </ActionForm>
    </Section>
  )
}
