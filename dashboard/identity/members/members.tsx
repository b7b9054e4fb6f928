import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { inviteMany } from '#contract/identity/invitations.ts'
import { listMembers, memberRoles, updateMember } from '#contract/identity/organization.ts'
import { textOfError } from '../../data/errors.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { useShortcuts } from '../../data/shortcuts.ts'
import { Button } from '../../parts/button.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { type Column, Grid } from '../../parts/grid.tsx'
import { late } from '../../parts/late.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { Page } from '../../parts/page.tsx'
import { Person } from '../../parts/person.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Empty, Problem } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { Total } from '../../parts/total.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { useRoles } from '../use-roles.ts'
import type { Member } from './member.ts'
import { memberTexts } from './members.words.ts'

const InviteDialog = late(() =>
  import('../invitations/invite-dialog.tsx').then(dialog => dialog.InviteDialog),
)
const ChangeRoleDialog = late(() =>
  import('./change-role-dialog.tsx').then(dialog => dialog.ChangeRoleDialog),
)
const RemoveMemberDialog = late(() =>
  import('./remove-member-dialog.tsx').then(dialog => dialog.RemoveMemberDialog),
)

type Open = { kind: 'none' } | { kind: 'invite' } | { kind: 'role' | 'remove'; member: Member }

/** The people of the organization, with their roles. */
export function Members() {
  const text = useWords(memberTexts)
  const language = useLanguage()
  const may = useMay()
  const navigate = useNavigate()
  const { caller } = useOrganization()
  const { search, role } = useSearch({ from: '/o/$organization/settings/members' })
  const [open, setOpen] = useState<Open>({ kind: 'none' })
  const close = () => setOpen({ kind: 'none' })
  const members = useList(listMembers, {
    query: { ...(search && { search }), ...(role && { role }) },
  })
  const isOwner = members.items.some(
    ({ personId, role }) => personId === caller.person.id && role === 'OWNER',
  )
  const { nameOf } = useRoles(isOwner)
  const mayInvite = may(inviteMany)
  useShortcuts(
    { c: mayInvite ? { label: text.invite, action: () => setOpen({ kind: 'invite' }) } : undefined },
    text.title,
  )
  const filter = (change: { search?: string | undefined; role?: typeof role }) =>
    void navigate({ to: '.', search: former => ({ ...former, ...change }), replace: true })

  const columns = useMemo(() => columnsOf(text, nameOf, caller.person.id), [text, nameOf, caller.person.id])
  function menuOf(member: Member): MenuEntry[] {
    const isOwn = member.personId === caller.person.id
    return [
      ...(may(updateMember)
        ? [
            {
              id: 'role',
              label: text.changeRole,
              icon: 'edit' as const,
              onAction: () => setOpen({ kind: 'role', member }),
            },
          ]
        : []),
      ...(isOwn || may(updateMember)
        ? [
            {
              id: 'remove',
              label: isOwn ? text.leave : text.remove,
              icon: 'signOut' as const,
              isDangerous: true,
              onAction: () => setOpen({ kind: 'remove', member }),
            },
          ]
        : []),
    ]
  }

  return (
    <Page
      title={text.title}
      width="full"
      actions={
        mayInvite && (
          <Button
            kind="primary"
            icon="plus"
            shortcut="c"
            onPress={() => setOpen({ kind: 'invite' })}
            onHoverStart={InviteDialog.preload}
            onFocus={InviteDialog.preload}
          >
            {text.invite}
          </Button>
        )
      }
      below={
        <FilterBar
          start={
            <SearchField
              label={text.search}
              value={search ?? ''}
              onChange={value => filter({ search: value || undefined })}
            />
          }
          fields={[
            {
              id: 'role',
              label: text.role.toLowerCase(),
              values: memberRoles.map(value => ({ value, label: nameOf({ role: value }) })),
            },
          ]}
          filters={role ? { role } : {}}
          onChange={filters => filter({ role: memberRoles.find(value => value === filters.role) })}
          end={members.total !== undefined && <Total count={members.total} />}
        />
      }
    >
      <Grid
        label={text.title}
        columns={columns}
        rows={members.items}
        rowKey={({ personId }) => personId}
        rowLabel={({ name }) => name}
        rowMenu={menuOf}
        total={members.total}
        isLoading={members.isLoading}
        hasMore={members.hasMore}
        isLoadingMore={members.isLoadingMore}
        loadMore={members.loadMore}
        error={members.error && <Problem title={textOfError(members.error, language)} />}
        empty={
          <Empty
            title={text.nobody}
            action={
              <Button onPress={() => filter({ search: undefined, role: undefined })}>{text.clear}</Button>
            }
          />
        }
      />
      {open.kind === 'invite' && <InviteDialog isOwner={isOwner} onClose={close} />}
      {open.kind === 'role' && <ChangeRoleDialog member={open.member} isOwner={isOwner} onClose={close} />}
      {open.kind === 'remove' && <RemoveMemberDialog member={open.member} onClose={close} />}
    </Page>
  )
}

function columnsOf(
  text: { name: string; email: string; role: string; joined: string; you: string },
  nameOf: (member: Member) => string,
  ownId: string,
): Column<Member>[] {
  return [
    {
      id: 'name',
      title: text.name,
      width: 'minmax(180px, 2fr)',
      cell: ({ name, personId }) => (
        <Person name={name} {...(personId === ownId && { about: `(${text.you})` })} />
      ),
    },
    {
      id: 'email',
      title: text.email,
      width: 'minmax(180px, 2fr)',
      phone: 'below',
      cell: ({ email }) => email,
    },
    { id: 'role', title: text.role, width: '180px', phone: 'end', cell: nameOf },
    {
      id: 'joined',
      title: text.joined,
      width: '120px',
      align: 'end',
      phone: 'belowEnd',
      cell: ({ joinedAt }) => <Time value={joinedAt} form="date" />,
    },
  ]
}
