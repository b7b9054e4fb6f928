import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { listExternalUsers } from '#contract/billing/external-users.ts'
import { listApplications } from '#contract/integrations/applications.ts'
import { textOfError } from '../../data/errors.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useList } from '../../data/read.ts'
import { Choice } from '../../parts/choice.tsx'
import type { Column } from '../../parts/grid.tsx'
import { late } from '../../parts/late.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { Page } from '../../parts/page.tsx'
import { Empty, Problem, Skeleton } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { Total } from '../../parts/total.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { ExternalUser } from './external-user.ts'
import { PaymentTabs } from './payment-tabs.tsx'
import styles from './payments.module.css'
import { userTexts } from './users.words.ts'

const UserSheet = late(() => import('./user-sheet.tsx').then(sheet => sheet.UserSheet))

/** The users whom applications bill, with their cards and authorizations (EXTU-1, AUTH-1). */
export function ApplicationUsers() {
  const text = useWords(userTexts)
  const language = useLanguage()
  const { application } = useSearch({ from: '/o/$organization/payments/authorizations' })
  const applications = useList(listApplications, { query: { limit: 100 } })
  const chosen = application ?? applications.items[0]?.id
  return (
    <Page title={text.title} width="full" below={<PaymentTabs current="authorizations" />}>
      {chosen !== undefined && (
        <UsersOf
          key={chosen}
          applicationId={chosen}
          applications={applications.items.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      {chosen === undefined && applications.isLoading && <Skeleton label={text.reading} />}
      {chosen === undefined && applications.error && (
        <Problem title={textOfError(applications.error, language)} />
      )}
      {chosen === undefined && !applications.isLoading && !applications.error && (
        <Empty title={text.noApplications}>{text.noApplicationsAbout}</Empty>
      )}
    </Page>
  )
}

function UsersOf({
  applicationId,
  applications,
}: {
  applicationId: string
  applications: readonly { value: string; label: string }[]
}) {
  const text = useWords(userTexts)
  const navigate = useNavigate()
  const { open } = useSearch({ from: '/o/$organization/payments/authorizations' })
  const users = useList(listExternalUsers, { params: { applicationId } })
  const columns = useMemo(() => columnsOf(text), [text])
  const show = (userId: string | undefined) =>
    void navigate({
      to: '.',
      search: { application: applicationId, ...(userId !== undefined && { open: userId }) },
      replace: true,
    })
  const index = users.items.findIndex(({ userId }) => userId === open)
  return (
    <>
      <div className={styles.bar}>
        <div className={styles.choice}>
          <Choice
            label={text.application}
            isLabelHidden
            options={applications}
            value={applicationId}
            onChange={id => void navigate({ to: '.', search: { application: id }, replace: true })}
          />
        </div>
        {users.total !== undefined && <Total count={users.total} label={text.total(users.total)} />}
      </div>
      <WithSheet
        sheet={
          open !== undefined && (
            <UserSheet
              key={open}
              applicationId={applicationId}
              userId={open}
              onClose={() => show(undefined)}
              {...neighboursOf(users.items, index, ({ userId }) => show(userId))}
            />
          )
        }
      >
        <ListGrid
          label={text.list}
          columns={columns}
          list={users}
          rowKey={({ userId }) => userId}
          rowLabel={({ name, userId }) => name ?? userId}
          onOpen={({ userId }) => show(userId)}
          current={open}
          empty={<Empty title={text.none}>{text.noneAbout}</Empty>}
        />
      </WithSheet>
    </>
  )
}

function columnsOf(text: Record<'user' | 'client' | 'email' | 'updated', string>): Column<ExternalUser>[] {
  return [
    {
      id: 'user',
      title: text.user,
      width: 'minmax(180px, 2fr)',
      cell: ({ name, userId }) => (
        <>
          {name} <code className={styles.code}>{userId}</code>
        </>
      ),
    },
    {
      id: 'client',
      title: text.client,
      width: 'minmax(160px, 2fr)',
      phone: 'below',
      cell: ({ clientName }) => clientName,
    },
    { id: 'email', title: text.email, width: 'minmax(160px, 2fr)', cell: ({ email }) => email },
    {
      id: 'updated',
      title: text.updated,
      width: '112px',
      align: 'end',
      phone: 'end',
      cell: ({ updatedAt }) => <Time value={updatedAt} form="date" />,
    },
  ]
}
