import { useMemo, useState } from 'react'
import {
  inviteMany,
  listInvitations,
  revokeInvitation,
  sendInvitation,
} from '#contract/identity/invitations.ts'
import type { Reply } from '#contract/route.ts'
import { useCreateAction } from '../../data/create-action.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useMay } from '../../data/organization.tsx'
import { useAction, useList } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { CreateButton } from '../../parts/create-button.tsx'
import type { Column } from '../../parts/grid.tsx'
import { late } from '../../parts/late.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useWords } from '../../words/words.ts'
import { useRoles } from '../use-roles.ts'
import { invitationListTexts } from './invitations.words.ts'

const InviteDialog = late(() => import('./invite-dialog.tsx').then(dialog => dialog.InviteDialog))

type Invitation = Reply<typeof listInvitations>['items'][number]

/** The open invitations: sent again, or revoked. */
export function Invitations() {
  const text = useWords(invitationListTexts)
  const actionText = useWords(actionTexts)
  const may = useMay()
  const { customRoles, nameOf } = useRoles()
  const [isInviting, setInviting] = useState(false)
  const invitations = useList(listInvitations)
  const send = useAction(sendInvitation, { refreshes: [listInvitations] })
  const revoke = useAction(revokeInvitation, { refreshes: [listInvitations] })
  const roleOf = useMemo(
    () =>
      ({ role, roleId }: Invitation) =>
        nameOf({ role, roleName: customRoles.find(({ id }) => id === roleId)?.name ?? null }),
    [nameOf, customRoles],
  )
  const columns = useMemo(() => columnsOf(text, roleOf), [text, roleOf])
  const mayInvite = may(inviteMany)
  useCreateAction('invite', actionText.invite, text.title, mayInvite && (() => setInviting(true)))
  return (
    <Page
      title={text.title}
      width="full"
      actions={
        mayInvite && (
          <CreateButton dialog={InviteDialog} onPress={() => setInviting(true)}>
            {actionText.invite}
          </CreateButton>
        )
      }
    >
      <ListGrid
        label={text.title}
        columns={columns}
        list={invitations}
        rowKey={({ id }) => id}
        rowLabel={({ email }) => email}
        rowMenu={({ id, email }) => [
          {
            id: 'send',
            label: text.sendAgain,
            icon: 'mail',
            onAction: () =>
              send.mutate({ params: { id } }, { toastsFailure: true, toast: () => text.sentAgain(email) }),
          },
          {
            id: 'revoke',
            label: text.revoke,
            icon: 'close',
            isDangerous: true,
            onAction: () =>
              revoke.mutate({ params: { id } }, { toastsFailure: true, toast: () => text.revoked(email) }),
          },
        ]}
        empty={
          <Empty
            title={text.empty}
            action={mayInvite && <Button onPress={() => setInviting(true)}>{actionText.invite}</Button>}
          >
            {text.emptyAbout}
          </Empty>
        }
      />
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Page>
  )
}

function columnsOf(
  text: { email: string; role: string; sent: string; notSent: string; expires: string },
  roleOf: (invitation: Invitation) => string,
): Column<Invitation>[] {
  return [
    { id: 'email', title: text.email, width: 'minmax(200px, 3fr)', cell: ({ email }) => email },
    { id: 'role', title: text.role, width: '180px', phone: 'below', cell: roleOf },
    {
      id: 'sent',
      title: text.sent,
      width: '140px',
      cell: ({ sentAt }) => (sentAt ? <Time value={sentAt} /> : text.notSent),
    },
    {
      id: 'expires',
      title: text.expires,
      width: '140px',
      align: 'end',
      phone: 'end',
      cell: ({ expiresAt }) => <Time value={expiresAt} form="date" />,
    },
  ]
}
