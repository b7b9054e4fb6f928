import { useParams } from '@tanstack/react-router'
import { getOperatedOrganization } from '#contract/identity/operator.ts'
import { textOfError } from '../../data/errors.ts'
import { useRead } from '../../data/read.ts'
import { useShortcuts } from '../../data/shortcuts.ts'
import { Button } from '../../parts/button.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { OrganizationState } from './organization-columns.tsx'
import { OrganizationDetail } from './organization-detail.tsx'
import styles from './organizations.module.css'
import { organizationTexts } from './organizations.words.ts'
import { useOrganizationActions } from './use-organization-actions.tsx'

/** An organization on a page of its own: the same as beside the list. */
export function OrganizationPage() {
  const text = useWords(organizationTexts)
  const language = useLanguage()
  const { organizationId } = useParams({ from: '/operator/organizations/$organizationId' })
  const { data, error } = useRead(getOperatedOrganization, { params: { id: organizationId } })
  const { entriesOf, dialog } = useOrganizationActions()
  const entries = data ? entriesOf(data) : []
  const changePlan = entries.find(({ id }) => id === 'plan')?.onAction
  useShortcuts({ e: changePlan && { label: text.changePlan, action: changePlan } }, text.organization)
  return (
    <Page
      title={data?.name ?? text.organization}
      beside={data && <OrganizationState suspendedAt={data.suspendedAt} text={text} />}
      actions={
        <>
          <MoreMenu
            label={text.actions}
            groups={[{ id: 'actions', entries: entries.filter(({ id }) => id !== 'plan') }]}
          />
          {changePlan && (
            <Button icon="edit" shortcut="e" onPress={changePlan}>
              {text.changePlan}
            </Button>
          )}
        </>
      }
    >
      {data ? (
        <div className={styles.page}>
          <OrganizationDetail organization={data} level={2} />
        </div>
      ) : error ? (
        <Problem title={textOfError(error, language)} />
      ) : (
        <Skeleton rows={6} label={text.reading} />
      )}
      {dialog}
    </Page>
  )
}
