import { useMemo, useState } from 'react'
import {
  createProvisioningToken,
  listProvisioningTokens,
  revokeProvisioningToken,
} from '#contract/identity/provisioning.ts'
import type { Reply } from '#contract/route.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { useCreateAction } from '../../data/create-action.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useMay } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { useMinute } from '../../parts/clock.ts'
import type { Column } from '../../parts/grid.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useWords } from '../../words/words.ts'
import { expiryOf } from '../tokens/tool-lines.ts'
import { CreateProvisioningTokenDialog } from './create-provisioning-token-dialog.tsx'
import styles from './provisioning.module.css'
import { provisioningTexts } from './provisioning.words.ts'

type Token = Reply<typeof listProvisioningTokens>['items'][number]

/** The tokens with which identity providers manage members and groups. */
export function Provisioning() {
  const text = useWords(provisioningTexts)
  const actionText = useWords(actionTexts)
  const may = useMay()
  const [isCreating, setCreating] = useState(false)
  const [revoked, setRevoked] = useState<Token>()
  const tokens = useList(listProvisioningTokens)
  const now = useMinute()
  const columns = useMemo(() => columnsOf(text, now), [text, now])
  const mayCreate = may(createProvisioningToken)
  const startNew = () => setCreating(true)
  useCreateAction(
    'create-provisioning-token',
    actionText['create-provisioning-token'],
    text.title,
    mayCreate && startNew,
  )
  const createButton = mayCreate && (
    <Button kind="primary" icon="plus" shortcut="c" onPress={startNew}>
      {actionText['create-provisioning-token']}
    </Button>
  )
  return (
    <Page
      title={text.title}
      width="full"
      actions={createButton}
      below={
        <div className={styles.about}>
          <p className={styles.quiet}>{text.about}</p>
          <p>
            {text.address}: <code className={styles.code}>{`${location.origin}/scim/v2`}</code>
          </p>
        </div>
      }
    >
      <ListGrid
        label={text.title}
        columns={columns}
        list={tokens}
        rowKey={({ id }) => id}
        rowLabel={token => token.name}
        rowMenu={token => [
          {
            id: 'revoke',
            label: text.revoke,
            icon: 'trash',
            isDangerous: true,
            onAction: () => setRevoked(token),
          },
        ]}
        empty={
          <Empty
            title={text.empty}
            action={
              mayCreate && <Button onPress={startNew}>{actionText['create-provisioning-token']}</Button>
            }
          >
            {text.emptyAbout}
          </Empty>
        }
      />
      {isCreating && <CreateProvisioningTokenDialog onClose={() => setCreating(false)} />}
      {revoked && <RevokeDialog token={revoked} onClose={() => setRevoked(undefined)} />}
    </Page>
  )
}

function RevokeDialog({ token, onClose }: { token: Token; onClose: () => void }) {
  const text = useWords(provisioningTexts)
  return (
    <ConfirmAction
      operation={revokeProvisioningToken}
      input={{ params: { id: token.id } }}
      refreshes={[listProvisioningTokens]}
      title={text.revokeQuestion(token.name)}
      action={text.revokeAction}
      isDangerous
      onClose={onClose}
      toast={() => text.revoked(token.name)}
    >
      {text.revokeAbout}
    </ConfirmAction>
  )
}

function columnsOf(
  text: { name: string; prefix: string; lastUse: string; never: string; expires: string; expired: string },
  now: number,
): Column<Token>[] {
  return [
    { id: 'name', title: text.name, width: 'minmax(160px, 2fr)', cell: ({ name }) => name },
    {
      id: 'prefix',
      title: text.prefix,
      width: 'minmax(160px, 1fr)',
      phone: 'below',
      cell: ({ prefix }) => <code className={styles.code}>{prefix}…</code>,
    },
    {
      id: 'lastUse',
      title: text.lastUse,
      width: '140px',
      cell: ({ lastUsedAt }) =>
        lastUsedAt ? <Time value={lastUsedAt} /> : <span className={styles.quiet}>{text.never}</span>,
    },
    {
      id: 'expires',
      title: text.expires,
      width: '160px',
      align: 'end',
      phone: 'end',
      cell: ({ expiresAt }) => <Expiry expiresAt={expiresAt} now={now} expired={text.expired} />,
    },
  ]
}

function Expiry({ expiresAt, now, expired }: { expiresAt: string; now: number; expired: string }) {
  const state = expiryOf(expiresAt, now)
  if (state === 'later') return <Time value={expiresAt} form="date" />
  return (
    <Status icon="clock" kind={state === 'expired' ? 'danger' : 'warn'}>
      {state === 'expired' ? expired : <Time value={expiresAt} form="date" />}
    </Status>
  )
}
