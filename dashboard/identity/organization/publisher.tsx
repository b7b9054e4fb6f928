import { getOrganization, updateOrganization } from '#contract/identity/organization.ts'
import type { Reply } from '#contract/route.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { useAction } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Section } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import styles from './organization.module.css'
import { organizationTexts } from './organization.words.ts'

/** The name that the marketplace shows, and whether the operator has verified it. */
export function Publisher({ organization }: { organization: Reply<typeof getOrganization> }) {
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

/** Whether the operator has verified the publisher name. */
export function Verification({ isVerified }: { isVerified: boolean }) {
  const text = useWords(organizationTexts)
  return (
    <Status icon={isVerified ? 'done' : 'dashed'} kind={isVerified ? 'done' : 'quiet'}>
      {isVerified ? text.verified : text.notVerified}
    </Status>
  )
}
