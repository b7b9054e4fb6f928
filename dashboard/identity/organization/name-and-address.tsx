import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { getOrganization, updateOrganization } from '#contract/identity/organization.ts'
import { listOwnOrganizations } from '#contract/identity/sessions.ts'
import type { Reply } from '#contract/route.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { codeOf, textOfError } from '../../data/errors.ts'
import { keyOf, useAction } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Section } from '../../parts/page.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './organization.module.css'
import { organizationTexts } from './organization.words.ts'

/** The name and the address of the organization, and what happens to the links with the former address (ORG-7). */
export function NameAndAddress({ organization }: { organization: Reply<typeof getOrganization> }) {
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
